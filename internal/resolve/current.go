package resolve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// oneCurrent leaves at most one checkpoint marked as current: the one that -c names, or that of our
// side of the merge, or the one that was changed last.
func (r *resolving) oneCurrent(ctx context.Context) error {
	set := r.after()
	marked := set.MarkedCurrent()
	switch {
	case len(r.names) > 0 || len(marked) == 1:
		return nil
	case len(marked) == 0:
		return r.markAgain(ctx, set)
	}
	current, why := slices.MinFunc(marked, checkpoint.LatestFirst), "worked on last"
	isChosen := func(c *checkpoint.Checkpoint) bool { return r.chosen != nil && c.ID == r.chosen.ID }
	if i := slices.IndexFunc(marked, isChosen); i >= 0 {
		current, why = marked[i], "of our side"
	}
	if r.pinned != "" {
		var err error
		current, err = (&checkpoint.Set{All: marked}).Resolve(r.pinned)
		if err != nil {
			ids := strings.Join(workspace.IDs(marked), ", ")
			return fault.New(fault.Usage, "%s is not current (want one of %s)", r.pinned, ids).
				WithHint("ckpt resolve -c %s", marked[0].ID)
		}
		why = "as you say"
	}
	for _, c := range marked {
		if c == current {
			continue
		}
		how := fmt.Sprintf("no longer current: %s stays, %s (ckpt use %s)", current.ID, why, c.ID)
		if err := r.setStatus(c, checkpoint.Active, how); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolving) setStatus(c *checkpoint.Checkpoint, status checkpoint.Status, how string) error {
	revised, err := revise.Begin(c).SetStatus(status).Apply()
	if err != nil {
		return err
	}
	r.reportFile(c.Path, c.ID, how)
	return r.write(c.Path, revised.Doc.Bytes())
}

// markAgain marks a checkpoint as current if each of the two sides had one and the merge left none:
// each side has removed the mark of the other's checkpoint, or one has archived it.
func (r *resolving) markAgain(ctx context.Context, set *checkpoint.Set) error {
	find := log.Of(r.repo).HeadMerge
	if r.merging {
		find = log.Of(r.repo).Merging
	}
	m, ok, err := find(ctx)
	if err != nil || !ok {
		return err
	}
	var current *checkpoint.Checkpoint
	for _, side := range []string{m.Ours, m.Theirs} {
		marked, err := r.markedAt(ctx, side)
		if err != nil || len(marked) == 0 {
			return err
		}
		left := slices.DeleteFunc(set.Active(), func(c *checkpoint.Checkpoint) bool { return !slices.Contains(marked, c.ID) })
		if current == nil && len(left) > 0 {
			current = slices.MinFunc(left, checkpoint.LatestFirst)
		}
	}
	if current == nil {
		return nil
	}
	return r.setStatus(current, checkpoint.Current, "current again: the merge left none (ckpt use ID)")
}

// markedAt returns the ids of the checkpoints that are marked as current in a commit.
func (p *Resolver) markedAt(ctx context.Context, commit string) ([]string, error) {
	tree, err := p.repo.Objects().TreeAt(ctx, commit, p.prefix)
	if err != nil {
		return nil, err
	}
	var marked []string
	for rel, blob := range tree {
		if !store.Listed(rel) {
			continue
		}
		src, err := p.repo.Objects().Blob(blob)
		if err != nil {
			return nil, err
		}
		if c, err := checkpoint.Parse(rel, src); err == nil && c.MarkedCurrent() {
			marked = append(marked, c.ID)
		}
	}
	return marked, nil
}
