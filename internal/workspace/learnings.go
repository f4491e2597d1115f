package workspace

import (
	"context"

	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/workspace/store"
)

// LearningsFile returns the bytes of LEARNINGS.md, or nil if the file does not exist.
func (p *Workspace) LearningsFile(ctx context.Context) (src []byte, err error) {
	err = p.ReadWith(ctx, func(v *View) (err error) {
		src, err = v.Store.Read(store.Learnings)
		return err
	})
	return src, err
}

// AllLearnings returns the learnings in LEARNINGS.md, newest first.
func (p *Workspace) AllLearnings(ctx context.Context) ([]learnings.Learning, error) {
	src, err := p.LearningsFile(ctx)
	return learnings.Parse(src), err
}
