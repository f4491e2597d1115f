package resolve

import (
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/workspace/checkout"
)

// oneCurrent leaves at most one checkpoint marked as current: the current one of our side of the
// merge, or else the one that was changed last.
func (r *resolving) oneCurrent() error {
	marked := r.set.After(r.files).MarkedCurrent()
	if len(r.names) > 0 || len(marked) < 2 {
		return nil
	}
	current, why := slices.MinFunc(marked, checkpoint.LatestFirst), "worked on last"
	chosen := r.before.Current()
	i := slices.IndexFunc(marked, func(c *checkpoint.Checkpoint) bool { return chosen != nil && c.ID == chosen.ID })
	if i >= 0 {
		current, why = marked[i], "of our side"
	}
	for _, c := range marked {
		if c == current {
			continue
		}
		r.reportFile(c.Path, c.ID, "no longer current: "+current.ID+" stays, "+why+" (ckpt use "+c.ID+")")
		if err := r.write(c.Path, checkout.Shared(c.Path, c.Doc.Bytes())); err != nil {
			return err
		}
	}
	return nil
}
