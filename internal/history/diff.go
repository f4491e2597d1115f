package history

import (
	"cmp"
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/revisions"
)

// Diff compares two versions of a checkpoint, named by from and to in the form that [History.ShowAt] reads. An empty
// from means the newest version. If to is empty, or is the name of the checkpoint, it means the present file.
func (p *History) Diff(ctx context.Context, name, from, to string) (*revisions.Comparison, error) {
	from = cmp.Or(from, "@{0}")
	before, v, err := p.ShowAt(ctx, name, from)
	if err != nil {
		return nil, err
	}
	c := &revisions.Comparison{ID: before.ID, From: v}
	var after *checkpoint.Checkpoint
	if to != "" && !sameName(to, before.ID) {
		var v revisions.Version
		after, v, err = p.ShowAt(ctx, before.ID, to)
		c.To = &v
	} else {
		after, err = p.Show(ctx, before.ID)
		if fault.KindOf(err) == fault.NotFound || err == nil && after.ID != before.ID {
			err = fault.New(fault.NotFound, "%s is gone: there is nothing to compare %q with", before.ID, from).
				WithHint("ckpt diff -c %s %s -- -1", before.ID, v.Short())
		}
	}
	if err != nil {
		return nil, err
	}
	before, after = p.sharedOf(before), p.sharedOf(after)
	c.Diff = revisions.Compare(revisions.Read(before.Doc), revisions.Read(after.Doc))
	return c, nil
}

// sameName reports whether two names of checkpoints are the same up to the prefix chk-.
func sameName(a, b string) bool {
	return strings.TrimPrefix(a, "chk-") == strings.TrimPrefix(b, "chk-")
}
