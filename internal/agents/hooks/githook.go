package hooks

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/scan"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// BeforeCommit checks the checkpoint files that are staged: each file by itself, and that
// nothing looks like a secret. Without a staged checkpoint file it only reads the index;
// it does not read the archive.
func (p *Handler) BeforeCommit(ctx context.Context) (*result.Report, error) {
	changes, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
	if err != nil || len(changes) == 0 {
		return &result.Report{}, err
	}
	tree, err := p.Repo.Objects().Tree(p.Prefix)
	if err != nil {
		return nil, err
	}
	staged := map[string]bool{}
	files := maps.Clone(tree)
	if files == nil {
		files = map[string]string{}
	}
	for _, f := range changes {
		rel := strings.TrimPrefix(f.Path, p.Prefix+"/")
		delete(files, rel)
		if f.After != "" {
			files[rel] = f.After
			staged[rel] = true
		}
	}
	r := &result.Report{Checked: len(staged)}
	set := &checkpoint.Set{}
	for _, rel := range slices.Sorted(maps.Keys(files)) {
		if !store.Listed(rel) || checkpoint.InArchive(rel) && !staged[rel] {
			continue
		}
		src, err := p.Repo.Objects().Blob(files[rel])
		if err != nil {
			return nil, err
		}
		c, err := checkpoint.Parse(rel, src)
		switch {
		case err == nil:
			set.All = append(set.All, c)
		case !errors.Is(err, checkpoint.ErrOther) && staged[rel]:
			set.Broken = append(set.Broken, checkpoint.Broken{Path: rel, Err: err})
		}
	}
	p.checkStaged(r, set, staged)
	found, err := p.scan.Scan(ctx, scan.Request{Staged: true})
	if err != nil {
		return nil, err
	}
	for _, f := range found.Findings {
		f.Message += " (" + f.Code + ")"
		r.Findings = append(r.Findings, f)
	}
	return r, nil
}

// checkStaged adds the errors of staged files, and the files that cannot be read.
func (p *Handler) checkStaged(r *result.Report, set *checkpoint.Set, staged map[string]bool) {
	add := func(f result.Finding) {
		if f.Severity == result.Error {
			f.Path = p.FromRoot(f.Path)
			r.Findings = append(r.Findings, f)
		}
	}
	for _, c := range set.All {
		if staged[c.Path] {
			for _, f := range validate.Checkpoint(c, p.Now()) {
				add(f)
			}
		}
	}
	for _, f := range validate.Set(set, p.Now()).Findings {
		if f.Code == validate.Unreadable {
			add(f)
		}
	}
}

// Standing returns one line on the current checkpoint, for a person who has just merged or
// switched. It is empty if none is current, or if the clone is not trusted.
func (p *Handler) Standing(ctx context.Context) (string, error) {
	if !p.InUse(ctx) {
		return "", nil
	}
	if trusted, err := p.Workspace.Trust.Given(ctx); !trusted || err != nil {
		return "", err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	set := view.Set
	c := set.Current()
	switch {
	case len(set.Broken) > 0:
		if b := set.Broken[0]; errors.Is(b.Err, checkpoint.ErrConflict) {
			return p.FromRoot(b.Path) + " cannot be read: " + b.Why(), nil
		}
		return fmt.Sprintf("%s cannot be read (ckpt validate)", p.FromRoot(set.Broken[0].Path)), nil
	case c == nil:
		return "", nil
	default:
		line := c.ID + " is current"
		if next := text.FirstLine(c.FirstAction()); next != "" {
			line += "; next: " + next
		}
		return line, nil
	}
}

// Trailer returns the trailer for a commit. It is empty if no checkpoint is current.
func (p *Handler) Trailer(ctx context.Context) (string, error) {
	if !p.InUse(ctx) {
		return "", nil
	}
	_, c, err := p.Current(ctx)
	if c == nil || err != nil {
		return "", err
	}
	return workspace.TrailerID + ": " + c.ID, nil
}
