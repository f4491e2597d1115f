package workspace

import (
	"context"

	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/workspace/store"
)

// AllLearnings returns the learnings in LEARNINGS.md, newest first.
func (p *Workspace) AllLearnings(ctx context.Context) (all []learnings.Learning, err error) {
	err = p.ReadWith(ctx, func(v *View) error {
		src, err := v.Store.Read(store.Learnings)
		all = learnings.Parse(src)
		return err
	})
	return all, err
}
