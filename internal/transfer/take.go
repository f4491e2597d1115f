package transfer

import (
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Take saves what another tool says of its work: as a delta of the checkpoint that
// is about it, else as a new one. That is the pinned one; the one whose id it names;
// the one of its session or workflow; and where it names nothing, the current one.
func (p *Transfer) Take(ctx context.Context, im *schema.Import) (*result.Receipt, error) {
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	about := im.About()
	var found *checkpoint.Checkpoint
	var made string // the id of a new one
	switch {
	case p.Pinned != "":
		return p.edit.Delta(ctx, edit.DeltaRequest{Import: im})
	case about.ID != "":
		made = about.ID
		for _, c := range set.Active() {
			if c.ID == about.ID {
				found = c
			}
		}
	case about.Session != "":
		found, made = workspace.Latest(set, workspace.Filter{Session: about.Session}), idFor(about.Session)
	case about.Workflow != "":
		found, made = workspace.Latest(set, workspace.Filter{Workflow: about.Workflow}), idFor(about.Workflow)
	case set.Current() != nil:
		return p.edit.Delta(ctx, edit.DeltaRequest{Import: im})
	}
	if found != nil {
		return p.edit.Delta(ctx, edit.DeltaRequest{ID: found.ID, Import: im})
	}
	receipt, err := p.edit.New(ctx, edit.NewRequest{ID: made, Import: im})
	if about.ID == "" && made != "" && fault.KindOf(err) == fault.Refused {
		return p.edit.New(ctx, edit.NewRequest{Import: im}) // an archived one is called so
	}
	return receipt, err
}

// idFor is the id for a name that another tool gave, "" where it makes none.
func idFor(name string) string {
	id, err := checkpoint.IDFor(name)
	if err != nil {
		return ""
	}
	return id
}
