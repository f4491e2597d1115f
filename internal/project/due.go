package project

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fold"
	"example.com/ckpt/internal/core/policy"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// Due says whether the current checkpoint is due for a delta. Where none is current,
// or it is archived, the answer names no checkpoint: nothing is due.
func (p *Project) Due(ctx context.Context) (policy.Reminder, error) {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return policy.Reminder{}, err
	}
	return p.dueIn(ctx, set)
}

// dueIn is Due for checkpoints that have been read.
func (p *Project) dueIn(ctx context.Context, set *checkpoint.Set) (policy.Reminder, error) {
	cfg, err := p.policy(ctx)
	if err != nil {
		return policy.Reminder{}, err
	}
	c, err := p.toResume(ctx, set, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return policy.Reminder{Policy: cfg.Due}, err
	}
	trail, err := p.Repo.Trail(ctx, p.since(ctx, c), p.prefix, false)
	if err != nil {
		return policy.Reminder{}, err
	}
	trail, _ = p.splitSetup(ctx, trail)
	traces := p.traces(ctx, c, trail)
	return policy.Remind(c.ID, traces, cfg.DueIn(c.Field("phase")), p.Now()), nil
}

// traces are what git and the files tell of the work since the last delta.
func (p *Project) traces(ctx context.Context, c *checkpoint.Checkpoint, trail git.Trail) policy.Traces {
	t := policy.Traces{Since: c.Changed(), Phase: c.Field("phase"), WasPhase: c.Field("phase")}
	fresh := git.Trail{Files: p.fresh(c, trail)}
	for _, f := range fresh.Files {
		if f.Uncommitted {
			t.Edits = append(t.Edits, p.Repo.ModTime(f.Path))
		}
	}
	artifacts, _ := artifactsOf(fresh) // a mass of new files is one
	t.Files = len(artifacts)
	last := "" // the commit of the last delta
	for _, commit := range trail.Own {
		op, id := trailersOf(commit.Message)
		switch {
		case id == c.ID && (op == "delta" || op == "new"):
			last = commit.Hash
			t.Tasks = 0
		case id == c.ID && (op == "done" || op == "note" && strings.Contains(text.FirstLine(commit.Message), "step: ")):
			t.Tasks++
		case id == c.ID && op == "note" && strings.Contains(text.FirstLine(commit.Message), "decision: "):
			t.Messages = nil // written down since
		case commit.Outside && !commit.At.Before(t.Since):
			t.Edits = append(t.Edits, commit.At)
			t.Commits++
			t.Messages = append(t.Messages, commit.Message)
		}
	}
	if last != "" && t.Phase != "" {
		old, err := p.Repo.Offline().FileAt(ctx, last, p.fromRoot(c.Path))
		if err != nil {
			return t // it had another place: nothing to compare with
		}
		if then, err := checkpoint.Parse(c.Path, old); err == nil {
			t.WasPhase = then.Field("phase")
		}
	}
	return t
}

// fresh returns the files of a trail that were changed after the last delta of c.
func (p *Project) fresh(c *checkpoint.Checkpoint, trail git.Trail) []git.Touched {
	since, gone := c.Changed(), deletions(c)
	var all []git.Touched
	for _, f := range trail.Files {
		switch {
		case f.Action == "deleted" && gone[f.Path]:
		case f.Action != "deleted" && !p.Repo.ModTime(f.Path).Truncate(time.Second).After(since):
		case !f.Uncommitted && f.At.Before(since):
		default:
			all = append(all, f)
		}
	}
	return all
}

// deletions are the files that the trail of a checkpoint has as deleted.
func deletions(c *checkpoint.Checkpoint) map[string]bool {
	all := map[string]bool{}
	for _, a := range fold.Artifacts(c) {
		if a.Action == "deleted" {
			all[a.File] = true
		}
	}
	return all
}

// trailersOf are the operation and the checkpoint that a commit's message names.
func trailersOf(message string) (op, id string) {
	for line := range strings.Lines(message) {
		if value, ok := strings.CutPrefix(line, trailerOp+": "); ok {
			op = strings.TrimSpace(value)
		} else if value, ok := strings.CutPrefix(line, trailerID+": "); ok {
			id = strings.TrimSpace(value)
		}
	}
	return op, id
}
