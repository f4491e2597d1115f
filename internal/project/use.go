package project

import (
	"context"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/store"
)

// Use makes a checkpoint the current one and clears all others; "-" is the one
// before.
func (p *Project) Use(ctx context.Context, name string) (*result.Receipt, error) {
	receipt, err := p.change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		to := name // this may run more than once
		if to == "-" {
			if to = p.previous(); to == "" {
				return nil, fault.New(fault.NotFound, "no other checkpoint was current before").WithHint("ckpt use ID")
			}
		}
		c, err := p.open(set, to)
		if err != nil {
			return nil, err
		}
		o := &operation{op: "use", id: c.ID, summary: "current", about: c.Path}
		if err := o.clearCurrents(set, c.ID); err != nil {
			return nil, err
		}
		revised, err := c.Revise().SetStatus(checkpoint.Current).Apply()
		if err != nil {
			return nil, err
		}
		o.revise(c, revised)
		return o, nil
	})
	return receipt, p.orOnOther(ctx, name, err)
}

// UseNone leaves no checkpoint current.
func (p *Project) UseNone(ctx context.Context) (*result.Receipt, error) {
	return p.change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		o := &operation{op: "use", summary: "none is current"}
		if c := set.Current(); c != nil {
			o.id, o.summary = c.ID, "no longer current"
		}
		return o, o.clearCurrents(set, "")
	})
}
