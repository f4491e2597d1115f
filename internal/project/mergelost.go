package project

import (
	"context"
	"errors"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/git"
)

// mergeLost returns a checkpoint that git lost in a merge, with what both sides wrote, and
// says where it comes from; nil where no merge lost it.
func (p *Project) mergeLost(ctx context.Context, id string) (*checkpoint.Checkpoint, string, error) {
	lost, err := p.lostFromHistory(ctx)
	if errors.Is(err, git.ErrElsewhere) {
		return nil, "", nil
	}
	i := slices.IndexFunc(lost, func(l Lost) bool { return l.ID == id && l.At == "" })
	if i < 0 || err != nil {
		return nil, "", err
	}
	l := lost[i]
	versions := []lostVersion{l.Base, l.Sides[0], l.Sides[len(l.Sides)-1]}
	var sets [3]merge.Set
	for i, v := range versions {
		if sets[i] = (merge.Set{}); v.blob != "" {
			if sets[i][v.path], err = p.blob(v.blob); err != nil {
				return nil, "", err
			}
		}
	}
	merged, err := merge.Sets(sets[0], sets[1], sets[2], merge.Options{Text: p.textMerge(ctx)})
	if err != nil {
		return nil, "", err
	}
	for rel, src := range merged.Files {
		if c, err := checkpoint.Parse(rel, src); err == nil && c.ID == id && len(merged.Conflicts) == 0 {
			return c, "as before it was lost in " + l.Result[:7], nil
		}
	}
	newer := l.Sides[0]
	c, err := checkpoint.Parse(newer.path, sets[1][newer.path])
	return c, "as " + newer.commit[:7] + " has it, before it was lost in " + l.Result[:7], err
}
