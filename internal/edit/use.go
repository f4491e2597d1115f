package edit

import (
	"context"
	"errors"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Use makes a checkpoint the current one and clears the mark of all others. The name "-" means the
// one that was current before.
func (p *Editor) Use(ctx context.Context, name string) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.Set
		to := name // a copy, since this function may run more than once
		if to == "-" {
			to, _ = p.Previous()
			if to == "" {
				return nil, fault.New(fault.NotFound, "no other checkpoint was current before").WithHint("ckpt use ID")
			}
		}
		c, err := view.Open(to)
		if name == "-" && errors.Is(err, checkpoint.ErrNone) {
			return nil, fault.New(fault.NotFound, "%s, which was current before, is gone", to).WithHint("ckpt undelete %s", to)
		}
		if err != nil {
			return nil, err
		}
		if is := set.Current(); is != nil && is.ID == c.ID && is.Path != c.Path {
			_, err := set.Whole(c.ID) // the choice is recorded by id, which must be unique
			return nil, err
		}
		o := &workspace.Tx{Op: "use", ID: c.ID, Summary: "current", Path: c.Path}
		if own, err := view.Target("@"); p.Shared && err == nil && own.ID != c.ID {
			o.Remarks = []string{"this shell still works on " + own.ID + ", which $CKPT_ID names"}
		}
		o.ClearCurrents(set, c.ID)
		revised, err := revise.Begin(c).SetStatus(checkpoint.Current).Apply()
		if err != nil {
			return nil, err
		}
		o.Revise(c, revised)
		return o, nil
	})
}

// UseNone makes no checkpoint current.
func (p *Editor) UseNone(ctx context.Context) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.Set
		o := &workspace.Tx{Op: "use", Summary: "none is current"}
		if c := set.Current(); c != nil {
			o.ID, o.Summary = c.ID, "no longer current"
		}
		o.ClearCurrents(set, "")
		return o, nil
	})
}
