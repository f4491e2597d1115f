package query

import (
	"cmp"
	"context"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/progress/inspect"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Inspect returns everything that is known about the checkpoint that a name means. It reads
// the archive, for children, and history.
func (p *Query) Inspect(ctx context.Context, name string) (*inspect.Details, error) {
	c, err := p.history.Show(ctx, name)
	if err != nil {
		return nil, err
	}
	d := inspect.Of(c)
	d.File = p.FromRoot(c.Path)
	if err := p.relate(ctx, d); err != nil {
		return nil, err
	}
	vs, err := p.history.VersionsOfID(ctx, c.ID)
	if err == nil {
		d.Versions = vs.List
	}
	if fault.KindOf(err) == fault.NotFound {
		err = nil // the checkpoint is in no commit yet
	}
	return d, err
}

// relative is a checkpoint together with the id of its parent.
type relative struct {
	inspect.Relative
	parent string
}

// relate determines the parent and the children, oldest first.
func (p *Query) relate(ctx context.Context, d *inspect.Details) error {
	var all []relative
	if err := p.ReadWith(ctx, func(view *workspace.View) (err error) {
		all, _, err = store.Each(view.Store, store.All, func(c *checkpoint.Checkpoint) relative {
			at := cmp.Or(c.Field("step"), c.Field("phase"), c.Field("name"))
			r := inspect.Relative{ID: c.ID, Path: p.FromRoot(c.Path), At: at, Status: string(c.Status()), Created: c.Created()}
			return relative{r, c.Parent()}
		})
		return err
	}); err != nil {
		return err
	}
	id := d.Checkpoint.Parent()
	switch id {
	case "":
	case d.ID:
		d.Parent = &inspect.Relative{ID: id, Path: d.File, At: "itself", Status: string(d.Status())}
	default:
		d.Parent = &inspect.Relative{ID: id, Missing: true}
	}
	for _, r := range all {
		if d.Parent != nil && r.ID == d.Parent.ID && r.Path != p.FromRoot(d.Path) {
			d.Parent = &r.Relative
		}
		if r.parent == d.ID && r.ID != d.ID {
			d.Children = append(d.Children, r.Relative)
		}
	}
	slices.SortFunc(d.Children, func(a, b inspect.Relative) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return nil
}
