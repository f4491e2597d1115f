package edit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/git/log"
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
		folded, res, err := fold.Fold(c, stepsBefore(ctx, view, c))
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "fold", ID: c.ID, Summary: text.Count(res.Deltas, "delta") + " into the body", Path: c.Path}
		o.Revise(c, folded)
		o.Remarks = foldRemarks(c, res)
		return o, nil
	})
}

// stepsBefore returns for each delta of a checkpoint the number of steps that Play-By-Play had when
// the delta was added: the smallest number in the committed versions with the delta. If there is no
// such version, or if git cannot tell, it is the present number.
func stepsBefore(ctx context.Context, view *workspace.View, c *checkpoint.Checkpoint) []int {
	deltas, steps := c.Deltas(), len(c.Steps())
	if len(deltas) == 0 || steps == 0 {
		return nil
	}
	key := func(d checkpoint.Delta) string { return d.Stamp + "\n" + d.Changed }
	before, index := slices.Repeat([]int{steps}, len(deltas)), map[string]int{}
	for i, d := range deltas {
		index[key(d)] = i
	}
	past, err := log.Of(view.Commits).Graph(ctx, view.InTree(c.Path))
	if err != nil {
		return before
	}
	var blobs []string
	for _, commit := range past.Commits {
		for _, f := range commit.Files {
			if f.After != "" && !commit.Time.Before(deltas[0].At) {
				blobs = append(blobs, f.After)
			}
		}
	}
	slices.Sort(blobs)
	_ = view.Repo.Objects().Blobs(ctx, slices.Compact(blobs), func(_ string, src []byte) {
		old, err := checkpoint.Parse(c.Path, src)
		if err != nil {
			return
		}
		for _, d := range old.Deltas() {
			if i, ok := index[key(d)]; ok {
				before[i] = min(before[i], len(old.Steps()))
			}
		}
	})
	return before
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
