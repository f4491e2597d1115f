package edit

import (
	"context"
	"fmt"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Fold merges the deltas of a checkpoint into its body. History keeps the deltas.
func (p *Editor) Fold(ctx context.Context, id string) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
		c, err := view.Open(id)
		if err != nil {
			return nil, err
		}
		folded, res, err := fold.Fold(c)
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "fold", ID: c.ID, Summary: text.Count(res.Deltas, "delta") + " into the body", Path: c.Path}
		o.Revise(c, folded)
		o.Remarks = foldRemarks(c, res)
		return o, nil
	})
}

func foldRemarks(c *checkpoint.Checkpoint, res fold.Result) []string {
	var all []string
	if res.Shortened > 0 {
		all = append(all, fmt.Sprintf("%s of Play-By-Play told in short: the newest %d are in full",
			text.Count(res.Shortened, "older step"), fold.Detailed))
	}
	if res.Left > 0 {
		all = append(all, text.Count(res.Left, "delta")+
			" had sections of their own: they stay, below \"From the delta of ...\"")
	}
	if res.Deltas > 0 {
		all = append(all, "what it took out is in history: ckpt log "+c.ID+", ckpt show "+c.ID+" --at REV")
	}
	return all
}
