package project

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/fold"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/core/validate"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// ValidateTrail holds the artifact trails of checkpoints, deltas included, against
// git: what your own commits since each was begun, and the working tree, changed;
// everybody's commits where somebody else wrote the checkpoint. No name is the current
// one. Since is a revision to count from, in place of the
// beginning.
func (p *Project) ValidateTrail(ctx context.Context, names []string, since string) ([]result.Trail, error) {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{"@"}
	}
	var all []result.Trail
	for _, name := range names {
		c, err := p.target(set, name)
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

func (p *Project) validateTrail(ctx context.Context, c *checkpoint.Checkpoint, since string) (result.Trail, error) {
	base, err := p.begun(ctx, c, since)
	if err != nil {
		return result.Trail{}, err
	}
	writer, err := p.Repo.Offline().LastAuthor(ctx, p.fromRoot(c.Path))
	if err != nil {
		return result.Trail{}, err
	}
	trail, err := p.Repo.Trail(ctx, base, p.prefix, writer.Known())
	if err != nil {
		return result.Trail{}, err
	}
	trail, own := p.splitSetup(ctx, trail)
	changed, remarks := changedIn(trail)
	byOthers, _ := changedIn(git.Trail{Files: own}) // what setup wrote may be named, and need not be
	if trail.Others > 0 {
		all, err := p.Repo.Trail(ctx, base, p.prefix, true)
		if err != nil {
			return result.Trail{}, err
		}
		others, _ := changedIn(all)
		byOthers = append(byOthers, others...)
	}
	t := validate.Trail(fold.Artifacts(c), changed, byOthers, p.prefix, func(path string) bool { return !p.Repo.ModTime(path).IsZero() })
	t.ID, t.Path, t.Base = c.ID, p.fromRoot(c.Path), trail.Base
	if t.Remarks = remarks; trail.Base == "" {
		t.Remarks = append(t.Remarks, c.ID+" does not say where it began: only the working tree is looked at (--since REV)")
	}
	if trail.State == git.Lacking {
		t.Remarks = append(t.Remarks, lacking(trail))
	}
	switch {
	case writer.Known():
		t.Remarks = append(t.Remarks, fmt.Sprintf("%s was last written by %s: compared with everybody's commits", c.ID, cmp.Or(writer.Name, writer.Email)))
	case trail.Others > 0:
		t.Remarks = append(t.Remarks, text.Count(trail.Others, "commit")+" by others since then: what they changed does not count as missing")
	}
	return t, nil
}

// changedIn returns the files of a trail as validate compares them, with remarks.
func changedIn(trail git.Trail) (changed []validate.Changed, remarks []string) {
	from := map[string]string{}
	for _, f := range trail.Files {
		from[f.Path] = f.From
	}
	artifacts, remarks := artifactsOf(trail)
	for _, a := range artifacts {
		changed = append(changed, validate.Changed{File: a.File, From: from[a.File], Action: a.Action, Subject: a.Change})
	}
	return changed, remarks
}

// begun is the commit at which the work on a checkpoint began: the one that its
// anchor names, else the last before it was created, else the one before the first
// that has its file; "" where none is known.
func (p *Project) begun(ctx context.Context, c *checkpoint.Checkpoint, since string) (git.Base, error) {
	if since != "" {
		hash := p.resolved(ctx, since)
		if hash == "" {
			return git.Base{}, fault.New(fault.NotFound, "git knows no revision %q", since).WithHint("git log --oneline")
		}
		return git.Base{Commit: hash}, nil
	}
	anchor := p.anchorOf(c)
	if p.resolved(ctx, anchor.Commit) != "" {
		return anchor, nil
	}
	hash, err := p.begunBy(ctx, c)
	return git.Base{Commit: hash}, err
}

// begunBy is begun by the times and files of commits.
func (p *Project) begunBy(ctx context.Context, c *checkpoint.Checkpoint) (string, error) {
	if head, err := p.Repo.Head(); err != nil || head.Hash == "" {
		return "", err
	}
	if created := c.Created(); !created.IsZero() {
		out, err := p.Repo.Offline().Run(ctx, "rev-list", "-1", "--first-parent", "--before="+checkpoint.FormatTime(created), "HEAD")
		if hash := strings.TrimSpace(string(out)); err != nil || hash != "" {
			return hash, err
		}
	}
	out, err := p.Repo.Offline().Run(ctx, "log", "--first-parent", "--diff-filter=A", "--format=%H", "--", p.fromRoot(c.Path))
	first := strings.Fields(string(out))
	if err != nil || len(first) == 0 {
		return "", err
	}
	if parent := p.resolved(ctx, first[len(first)-1]+"^"); parent != "" {
		return parent, nil
	}
	return first[len(first)-1], nil
}

// resolved is the commit that a revision names; "" for none.
func (p *Project) resolved(ctx context.Context, rev string) string {
	if rev == "" {
		return ""
	}
	out, err := p.Repo.Offline().Run(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
