package query

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// Due reports whether the current checkpoint is due for a delta. If no checkpoint is current, or it
// is archived, nothing is due and the answer has no id.
func (p *Query) Due(ctx context.Context, view *workspace.View) (policy.Reminder, error) {
	cfg, err := p.Policy(ctx)
	if err != nil {
		return policy.Reminder{}, err
	}
	c, err := p.resume.ToResume(ctx, view, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return policy.Reminder{Policy: cfg.Due}, err
	}
	trail, err := changes.Of(p.Repo).Since(ctx, p.Base.Since(ctx, c), p.Prefix, false)
	if err != nil {
		return policy.Reminder{}, err
	}
	traces := p.traces(ctx, c, trail)
	return policy.Remind(c.ID, traces, cfg.DueIn(c.Field("phase")), p.Now()), nil
}

// traces returns what git and the files show of the work since the last delta.
func (p *Query) traces(ctx context.Context, c *checkpoint.Checkpoint, trail changes.Work) policy.Traces {
	t := policy.Traces{Since: c.Changed(), Phase: c.Field("phase"), WasPhase: c.Field("phase")}
	fresh := changes.Work{Files: p.edit.Fresh(c, trail)}
	for _, f := range fresh.Files {
		if f.Uncommitted {
			t.Edits = append(t.Edits, p.Repo.Worktree().ModTime(f.Path))
		}
	}
	artifacts, _ := edit.ArtifactsOf(fresh) // many new files of one folder count as one
	t.Files = len(artifacts)
	last := "" // the commit of the last delta, or of the creation of c
	for _, commit := range p.withOperations(ctx, c, trail.Own) {
		op, id := trailersOf(commit.Message)
		switch {
		case id == c.ID && (op == "delta" || op == "new"):
			last = commit.Hash
			t.Tasks = 0
		case id == c.ID && (op == "done" || op == "note" && strings.Contains(text.FirstLine(commit.Message), "step: ")):
			t.Tasks++
		case id == c.ID && op == "note" && strings.Contains(text.FirstLine(commit.Message), "decision: "):
			t.Messages = nil // messages before a recorded decision do not count
		case commit.Outside && !commit.At.Before(t.Since):
			t.Edits = append(t.Edits, commit.At)
			t.Commits++
			t.Messages = append(t.Messages, commit.Message)
		}
	}
	if last != "" && t.Phase != "" {
		old, err := p.Repo.Offline().Objects().FileAt(ctx, last, p.Prefix+"/"+c.Path)
		if old == nil || err != nil {
			return t // the file had another path, so the phases cannot be compared
		}
		if then, err := checkpoint.Parse(c.Path, old); err == nil {
			t.WasPhase = then.Field("phase")
		}
	}
	return t
}

// newestOperations is how many of a checkpoint's newest operations are searched for its last delta.
const newestOperations = 200

// withOperations returns the user's commits and the newest operations on a checkpoint that were not undone,
// sorted by time. The operations are read from the checkpoint ref, or from HEAD in a clone without it. Their copies
// among the user's commits are left out.
func (p *Query) withOperations(ctx context.Context, c *checkpoint.Checkpoint,
	own []changes.OwnCommit) []changes.OwnCommit {
	operations, err := log.Of(p.Commits).Recent(ctx, p.Prefix+"/"+c.Path, newestOperations)
	if err != nil {
		return own // the clone lacks objects: go by the file and the user's commits
	}
	var all []changes.OwnCommit // the newest first
	known, undone := map[string]bool{}, map[string]bool{}
	for _, o := range operations {
		known[o.Subject] = true
		for _, hash := range o.Trailers[workspace.TrailerUndoes] {
			undone[hash] = undone[hash] || !undone[o.Hash] // an undo that a redo took back undoes nothing
		}
		if undone[o.Hash] || len(o.TookIn()) > 0 {
			continue // own has the user's commits that the operation took in
		}
		op, id := strings.Join(o.Trailers[workspace.TrailerOp], ","), strings.Join(o.Trailers[workspace.TrailerID], ",")
		all = append(all, changes.OwnCommit{Hash: o.Hash, At: o.Time, Message: o.Subject + "\n\n" +
			workspace.TrailerID + ": " + id + "\n" + workspace.TrailerOp + ": " + op + "\n"})
	}
	for _, c := range slices.Backward(own) {
		if c.Outside || !known[text.FirstLine(c.Message)] {
			all = append(all, c)
		}
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b changes.OwnCommit) int { return a.At.Compare(b.At) })
	return all
}

// trailersOf returns the operation and the checkpoint that a commit's message names.
func trailersOf(message string) (op, id string) {
	for line := range strings.Lines(message) {
		if value, ok := strings.CutPrefix(line, workspace.TrailerOp+": "); ok {
			op = strings.TrimSpace(value)
		} else if value, ok := strings.CutPrefix(line, workspace.TrailerID+": "); ok {
			id = strings.TrimSpace(value)
		}
	}
	return op, id
}
