package workspace

import (
	"context"

	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/workspace/store"
)

// AllLearnings returns the learnings in LEARNINGS.md, newest first.
func (p *Workspace) AllLearnings(ctx context.Context) (all []learnings.Learning, err error) {
	err = p.ReadWith(ctx, func(v *View) (err error) {
		all, err = v.Learnings()
		return err
	})
	return all, err
}

// Learnings returns the learnings in LEARNINGS.md, newest first.
func (v *View) Learnings() ([]learnings.Learning, error) {
	src, err := v.Store.Read(store.Learnings)
	return learnings.Parse(src), err
}
