package history

import (
	"context"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace"
)

// Log returns at most limit versions of a checkpoint, with the changes of each. A limit of 0 means
// all.
func (p *History) Log(ctx context.Context, name string, limit int) (*revisions.Log, error) {
	vs, err := p.versions(ctx, name)
	if err != nil {
		return nil, err
	}
	list := vs.List
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	log := &revisions.Log{ID: vs.ID, Older: len(vs.List) - len(list)}
	log.Changes, err = vs.Changes(ctx, list)
	if err != nil || len(list) == 0 {
		return log, err
	}
	return log, p.ReadWith(ctx, func(view *workspace.View) (err error) {
		log.Edited, err = p.editedSince(ctx, view, vs)
		return err
	})
}

// editedSince reports whether the checkpoint's file differs from its newest version.
func (p *History) editedSince(ctx context.Context, view *workspace.View, vs *gitlog.Versions) (bool, error) {
	newest := vs.List[0]
	if newest.Gone() {
		return false, nil
	}
	src, err := view.Store.Read(newest.Path)
	if err != nil || src == nil {
		return err != nil, nil // a file that cannot be read differs from every version
	}
	was, err := vs.Bytes(ctx, newest.Blob)
	if fault.KindOf(err) == fault.NotFound {
		return false, nil // a partial clone may lack the version
	}
	src, was = p.shared(newest.Path, src), p.shared(newest.Path, was)
	return err == nil && !change.Same(src, was), err
}
