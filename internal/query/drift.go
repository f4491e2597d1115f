package query

import (
	"context"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Drift returns what happened to the files that a checkpoint names. It fetches nothing.
func (p *Query) Drift(ctx context.Context, id string) (*drift.Report, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	c, err := view.Target(id)
	if err != nil {
		return nil, err
	}
	return p.drift(ctx, c)
}

// Prune strikes through the broken breadcrumbs of a checkpoint.
func (p *Query) Prune(ctx context.Context, id string) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
		c, err := view.Open(id)
		if err != nil {
			return nil, err
		}
		found, err := p.drift(ctx, c)
		if err != nil {
			return nil, err
		}
		r := revise.Begin(c)
		struck := found.Prune(r)
		revised, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{
			Op: "drift", ID: c.ID, Summary: "struck " + text.Count(len(struck), "stale breadcrumb"), Path: c.Path,
			Remarks: append(found.Remarks, struck...),
		}
		o.Revise(c, revised)
		return o, nil
	})
}

func (p *Query) drift(ctx context.Context, c *checkpoint.Checkpoint) (*drift.Report, error) {
	repo, written := p.Repo.Offline(), p.Base.Named(c)
	r := &drift.Report{ID: c.ID, Path: p.FromRoot(c.Path), Base: written.Commit, Counts: map[drift.Verdict]int{}}
	from, state, err := changes.Of(repo).BaseOf(ctx, written, p.Prefix)
	if err != nil {
		return nil, err
	}
	base := "the commit that it describes, " + r.Base[:min(len(r.Base), 7)] + ","
	switch {
	case r.Base == "":
		r.Base = from
	case state == changes.Arrived:
		r.Base = from
		r.Remarks = append(r.Remarks, base+" was squashed, rebased or amended: changes are counted from "+
			from[:7]+", which brought this state to HEAD")
	case state != changes.Ancestor && !log.Of(repo).HasCommit(r.Base):
		r.Base = from
		r.Remarks = append(r.Remarks, base+" is not in this repository: what changed since cannot be counted")
	}
	if state := p.Repo.InProgress(); state == "rebase" || state == "bisect" {
		r.Remarks = append(r.Remarks, "a "+state+" is in progress: this is about the files that it has at work")
	}
	for _, ref := range drift.References(c, repo.Root()) {
		r.Findings = append(r.Findings, drift.Finding{Reference: ref})
	}
	j := drift.Check{Repo: &workspace.DriftRepo{Repo: repo}, Base: r.Base, All: true}
	err = j.Files(ctx, r.Findings)
	onlyLooksLikeOne := func(f drift.Finding) bool { return f.Verdict == "" }
	r.Findings = slices.DeleteFunc(r.Findings, onlyLooksLikeOne)
	for i := range r.Findings {
		r.Counts[r.Findings[i].Verdict]++
	}
	return r, err
}
