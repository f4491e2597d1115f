package query

import (
	"cmp"
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/progress/inspect"
	"example.com/ckpt/internal/workspace/store"
)

// Inspect returns everything that is known about a checkpoint, or about a version of it. It reads
// the archive, for children, and history.
func (p *Query) Inspect(ctx context.Context, c *checkpoint.Checkpoint) (*inspect.Details, error) {
	d := inspect.Of(c)
	d.File = p.FromRoot(c.Path)
	if err := p.relate(ctx, d); err != nil {
		return nil, err
	}
	vs, err := p.history.Versions(ctx, c.ID)
	if err == nil {
		d.Versions = vs.List
	}
	if fault.KindOf(err) == fault.NotFound {
		err = nil // the checkpoint is in no commit yet
	}
	return d, err
}

// relate sets the parent and the children of d, the oldest child first.
func (p *Query) relate(ctx context.Context, d *inspect.Details) error {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	relative := func(c *checkpoint.Checkpoint) inspect.Relative {
		at := cmp.Or(c.Field("step"), c.Field("phase"), c.Field("name"))
		return inspect.Relative{ID: c.ID, Path: p.FromRoot(c.Path), At: at, Status: string(c.Status())}
	}
	forest := lineage.Build(view.Set)
	if id := d.Checkpoint.Parent(); id != "" {
		d.Parent = &inspect.Relative{ID: id, Missing: true}
		if up := forest.Find(id); up != nil {
			*d.Parent = relative(up.Checkpoint)
		}
		if id == d.ID {
			d.Parent.At = "itself"
		}
	}
	if n := forest.Find(d.ID); n != nil {
		for _, child := range n.Children {
			d.Children = append(d.Children, relative(child.Checkpoint))
		}
	}
	return nil
}
