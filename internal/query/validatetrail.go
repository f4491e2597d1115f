package query

import (
	"cmp"
	"context"
	"fmt"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace/store"
)

// ValidateTrail compares the artifact trails of checkpoints, including deltas, with git. It
// compares them with the changes of the user's own commits since the checkpoint was begun, and with
// those of the working tree. If another person wrote the checkpoint, all commits count. Without
// names, it checks the current checkpoint. Since is a revision from which changes are counted
// instead.
func (p *Query) ValidateTrail(ctx context.Context, names []string, since string) ([]result.Trail, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{"@"}
	}
	var all []result.Trail
	for _, name := range names {
		c, err := view.Target(name)
		if err != nil {
			return nil, err
		}
		t, err := p.validateTrail(ctx, c, since)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func (p *Query) validateTrail(ctx context.Context, c *checkpoint.Checkpoint, since string) (result.Trail, error) {
	base, err := p.begun(ctx, c, since)
	if err != nil {
		return result.Trail{}, err
	}
	writer, err := log.Of(p.commits.Offline()).LastAuthor(ctx, p.prefix+"/"+c.Path)
	if err != nil {
		return result.Trail{}, err
	}
	trail, err := changes.Of(p.repo).Since(ctx, base, p.prefix, writer.Known())
	if err != nil {
		return result.Trail{}, err
	}
	trail, own := p.splitSetup(ctx, trail)
	changed, remarks := changedIn(trail)
	// Files that only setup changed may be in the trail, but need not be.
	byOthers, _ := changedIn(changes.Work{Files: own})
	if trail.Others > 0 {
		all, err := changes.Of(p.repo).Since(ctx, base, p.prefix, true)
		if err != nil {
			return result.Trail{}, err
		}
		others, _ := changedIn(all)
		byOthers = append(byOthers, others...)
	}
	exists := func(path string) bool { return !p.repo.Worktree().ModTime(path).IsZero() }
	t := validate.Trail(fold.Artifacts(c), changed, byOthers, p.prefix, exists)
	t.ID, t.Path, t.Base = c.ID, p.fromRoot(c.Path), trail.Base
	t.Remarks = remarks
	if trail.Base == "" {
		t.Remarks = append(t.Remarks, c.ID+" does not say where it began: only the working tree is looked at (--since REV)")
	}
	if trail.State == changes.Lacking {
		t.Remarks = append(t.Remarks, edit.Lacking(trail))
	}
	switch {
	case writer.Known():
		by := cmp.Or(writer.Name, writer.Email)
		t.Remarks = append(t.Remarks, fmt.Sprintf("%s was last written by %s: compared with everybody's commits", c.ID, by))
	case trail.Others > 0:
		commits := text.Count(trail.Others, "commit")
		t.Remarks = append(t.Remarks, commits+" by others since then: what they changed does not count as missing")
	}
	return t, nil
}

// changedIn returns the files of a trail in the form in which validate compares them, with remarks.
func changedIn(trail changes.Work) (changed []validate.Changed, remarks []string) {
	from := map[string]string{}
	for _, f := range trail.Files {
		from[f.Path] = f.From
	}
	artifacts, remarks := edit.ArtifactsOf(trail)
	for _, a := range artifacts {
		changed = append(changed, validate.Changed{File: a.File, From: from[a.File], Action: a.Action, Subject: a.Change})
	}
	return changed, remarks
}

// begun returns the commit from which the trail of a checkpoint is checked: since, if it is given,
// or else the commit at which its work began.
func (p *Query) begun(ctx context.Context, c *checkpoint.Checkpoint, since string) (changes.Base, error) {
	if since == "" {
		return p.base.Begun(ctx, c)
	}
	hash, err := log.Of(p.repo).ResolveCode(ctx, since)
	if err == nil && hash == "" {
		err = fault.New(fault.NotFound, "git knows no revision %q", since).WithHint("git log --oneline")
	}
	return changes.Base{Commit: hash}, err
}
