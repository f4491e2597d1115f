package workspace

import (
	"context"

	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/workspace/store"
)

// LearningsFile is the bytes of LEARNINGS.md, nil where there is none.
func (p *Workspace) LearningsFile(ctx context.Context) (src []byte, err error) {
	_, err = p.LoadWith(ctx, func() (err error) {
		src, err = p.Store.Read(store.Learnings)
		return err
	})
	return src, err
}

// entries are all entries of LEARNINGS.md, newest first.
func (p *Workspace) Entries(ctx context.Context) ([]learnings.Entry, error) {
	src, err := p.LearningsFile(ctx)
	if err != nil {
		return nil, err
	}
	return learnings.Parse(src), nil
}
