package transfer

import (
	"cmp"
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace/store"
)

// Take saves a checkpoint of another tool. If the import belongs to an existing checkpoint, Take adds a delta to that
// checkpoint; otherwise it makes a new one. The import belongs to the first of these that is given: its target (see
// [schema.Import.Target]), the pinned checkpoint, the checkpoint with its id, the one of its session, the one of its
// workflow. If none is given, it belongs to the current checkpoint.
func (p *Transfer) Take(ctx context.Context, im *schema.Import) (*result.Receipt, error) {
	view, err := p.project.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	set, about, target := view.Set, im.About(), im.Target(view.Set)
	id := cmp.Or(target, about.ID)
	name := cmp.Or(about.Session, about.Workflow)
	toPinned := p.settings.Pinned != "" && target == ""
	toCurrent := id+name == "" && set.Current() != nil
	if toPinned || toCurrent {
		return p.edit.Delta(ctx, edit.DeltaRequest{Import: im})
	}
	found := progress.Saved(set, im)
	if id != "" {
		found, err = set.Whole(id)
	}
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return nil, err
	}
	if found != nil {
		return p.edit.Delta(ctx, edit.DeltaRequest{ID: cmp.Or(id, found.ID), Import: im})
	}
	made, _ := checkpoint.IDFor(name) // if this fails, New makes an id
	made = cmp.Or(id, made)
	receipt, err := p.edit.New(ctx, edit.NewRequest{ID: made, Import: im})
	if id == "" && made != "" && fault.KindOf(err) == fault.Refused {
		return p.edit.New(ctx, edit.NewRequest{Import: im}) // made is the id of an archived checkpoint
	}
	return receipt, err
}
