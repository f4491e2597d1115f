package hooks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/scan"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace/store"
)

// BeforeCommit validates each staged checkpoint file by itself, and scans the staged lines for secrets.
// If no file of the checkpoints folder is staged, it only compares the index with HEAD.
func (p *Handler) BeforeCommit(ctx context.Context) (*result.Report, error) {
	changes, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
	if err != nil || len(changes) == 0 {
		return &result.Report{}, err
	}
	r := &result.Report{}
	for _, f := range changes {
		rel := strings.TrimPrefix(f.Path, p.Prefix+"/")
		if f.After == "" || !checkpoint.IsFile(rel) {
			continue
		}
		src, err := p.Repo.Objects().Blob(f.After)
		if err != nil {
			return nil, err
		}
		r.Checked++
		r.Findings = append(r.Findings, p.checkStaged(rel, src)...)
	}
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

// checkStaged returns the errors of a staged file.
func (p *Handler) checkStaged(rel string, src []byte) []result.Finding {
	c, err := checkpoint.Parse(rel, src)
	var found []result.Finding
	switch {
	case errors.Is(err, checkpoint.ErrOther):
	case err != nil:
		found = validate.Set(&checkpoint.Set{Broken: []checkpoint.Broken{{Path: rel, Err: err}}}, p.Now()).Findings
	default:
		found = validate.Checkpoint(c, p.Now())
	}
	found = slices.DeleteFunc(found, func(f result.Finding) bool { return f.Severity != result.Error })
	for i := range found {
		found[i].Path = p.FromRoot(found[i].Path)
	}
	return found
}

// CurrentLine describes the current checkpoint in one line, for a person who has just merged or switched. The line is
// empty if none is current, or if the clone is not trusted.
func (p *Handler) CurrentLine(ctx context.Context) (string, error) {
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
	set, c := view.Set, view.Set.Current()
	switch {
	case len(set.Broken) > 0 && errors.Is(set.Broken[0].Err, checkpoint.ErrConflict):
		return p.FromRoot(set.Broken[0].Path) + " cannot be read: " + set.Broken[0].Why(), nil
	case len(set.Broken) > 0:
		return p.FromRoot(set.Broken[0].Path) + " cannot be read (ckpt validate)", nil
	case c == nil:
		return "", nil
	}
	line := c.ID + " is current"
	if next := text.FirstLine(c.FirstAction()); next != "" {
		line += "; next: " + next
	}
	return line, nil
}
