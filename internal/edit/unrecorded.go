package edit

import (
	"cmp"
	"context"
	"slices"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/text"
)

// fillRecovered adds to a delta what changed and a line of state, from the record and the trail of
// c. It reports whether it added anything. If described is true, the text and files of the delta already
// describe the work of its own session, and fillRecovered adds only the work of other sessions.
func (p *Editor) fillRecovered(ctx context.Context, note *revise.Progress, described bool, c *checkpoint.Checkpoint,
	trail changes.Work) bool {
	artifacts, _ := ArtifactsOf(trail)
	unlisted := p.Unlisted(c, artifacts)
	g := record.Git{Files: len(unlisted)}
	var edits []changes.Edit
	for _, f := range trail.Files {
		if f.Uncommitted {
			edits = append(edits, changes.Edit{Path: f.Path, From: f.From})
		}
	}
	fresh, tables := p.Fresh(c, trail), drift.TrailOf(c, p.Repo.Root())
	for _, f := range trail.Files {
		told := tables.Mentions(f.Path) || f.From != "" && tables.Mentions(f.From)
		names := func(a checkpoint.Artifact) bool { return a.File == f.Path }
		listed := slices.ContainsFunc(artifacts, names) && !slices.ContainsFunc(unlisted, names)
		known := listed || told && !slices.Contains(fresh, f)
		if f.Uncommitted && !known {
			g.Uncommitted = append(g.Uncommitted, f.Path)
		}
	}
	scanner := &secrets.Scanner{}
	for _, o := range trail.Own {
		if o.Outside {
			g.Commits = append(g.Commits, record.Commit{Hash: o.Hash, Subject: subjectOf(scanner, text.FirstLine(o.Message))})
		}
	}
	recorded := resume.New(p.Workspace)
	work := recorded.UnrecordedWork(c, edits, true)
	if described {
		work, g = recorded.OfOthers(work), record.Git{}
	}
	if len(work)+len(g.Uncommitted)+len(g.Commits) == 0 {
		return false
	}
	changed, state := record.Delta(work, g)
	note.Changed = join("\n\n", note.Changed, changed)
	if note.State == "" {
		note.AddState = state
	}
	note.Trigger = cmp.Or(note.Trigger, "recovered")
	return true
}
