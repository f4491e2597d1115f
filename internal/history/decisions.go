package history

import (
	"context"
	"slices"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/store"
)

// Decisions returns the present decisions of the checkpoint that name means, without reading
// history.
func (p *History) Decisions(ctx context.Context, name string) (*decisions.Record, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	c, err := view.Target(name)
	if err != nil {
		return nil, err
	}
	return decisions.Follow([]decisions.Version{{Checkpoint: c}}, 0), nil
}

// DecisionsMade returns the decisions of a checkpoint with their authors and commits, and what
// happened to decisions that are no longer in the file. Losses up to the revision since are left
// out.
func (p *History) DecisionsMade(ctx context.Context, name, since string) (*decisions.Record, error) {
	commit, at, err := p.known(ctx, name, since)
	if err != nil {
		return nil, err
	}
	h := lines{states: map[string]state{}, same: map[string][]int{}, of: map[string][]revisions.Version{}}
	h.past, err = p.versionsBy(ctx, name, func(ctx context.Context, dir string) ([]log.Commit, error) {
		h.graph, err = log.Of(p.commits).Graph(ctx, dir, commit)
		if err != nil {
			return nil, err
		}
		return h.graph.Commits, nil
	})
	if err != nil {
		return nil, err
	}
	present, err := h.read(ctx, p)
	if err != nil {
		return nil, err
	}
	record := decisions.Follow(h.list, present)
	record.ID, record.Warnings = h.past.ID, h.warnings
	if commit == "" {
		return record, nil
	}
	known, err := h.upTo(ctx, commit)
	if err != nil {
		return nil, err
	}
	record.Losses = slices.DeleteFunc(record.Losses, func(l decisions.Loss) bool {
		return known[l.In.Commit] || l.In.Commit != "" && l.In.Time.Before(at)
	})
	return record, nil
}

// known returns the commit with the version of a checkpoint that a revision means, or else the revision's own. In
// ref mode a revision of the code means the version that was known then. For a revision that is a number of versions
// or a time, what is older than its version is known, too: at is the time of the version.
func (p *History) known(ctx context.Context, name, since string) (commit string, at time.Time, err error) {
	if since == "" {
		return "", at, nil
	}
	if _, v, err := p.at(ctx, name, since); err == nil {
		if _, rev, err := p.versionNamed(ctx, name, since); err == nil && !gitlog.IsCommit(rev) {
			at = v.Time
		}
		return v.Commit, at, nil
	}
	commit, err = log.Of(p.repo).Resolve(ctx, since)
	if commit == "" && err == nil {
		err = fault.New(fault.NotFound, "git knows no revision %q", since).WithHint("ckpt log %s", name)
	}
	return commit, at, err
}
