package query

import (
	"context"
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// ShortStatus returns what a shell prompt shows of the current checkpoint. The ID is empty if no checkpoint is
// current. A prompt is drawn often, so ShortStatus starts no process and does not read the archive.
func (p *Query) ShortStatus(ctx context.Context) (result.ShortStatus, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return result.ShortStatus{}, err
	}
	c, err := p.resume.ToResume(ctx, view, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return result.ShortStatus{}, err
	}
	edits, err := view.Edits(ctx, store.Live)
	if err != nil {
		return result.ShortStatus{}, err
	}
	return result.ShortStatus{ID: c.ID, Next: c.FirstAction(),
		Edited: slices.ContainsFunc(edits, func(f change.File) bool { return f.Path == c.Path })}, nil
}
