package query

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Validate checks the named files or, without names, the whole folder. A name is the id of a checkpoint, or
// the path of any file. Paths in the report start at the repository's root, but a file outside the
// checkpoints folder has its name as given.
func (p *Query) Validate(ctx context.Context, names []string) (*result.Report, error) {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	whole := validate.Set(view.ToValidate(), p.Now())
	for i := range whole.Findings {
		whole.Findings[i].Path = p.FromRoot(whole.Findings[i].Path)
	}
	if len(names) == 0 {
		return &whole, nil
	}
	r := &result.Report{}
	var checked []string
	for _, name := range names {
		file, findings, err := p.findings(view, whole, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(checked, file) {
			checked, r.Findings = append(checked, file), append(r.Findings, findings...)
		}
	}
	r.Checked = len(checked)
	return r, nil
}

// findings returns the file that a name means, and the findings about it. It takes them from whole, the report on all
// checkpoints, but checks a file outside the folder by itself.
func (p *Query) findings(view *workspace.View, whole result.Report,
	name string) (file string, found []result.Finding, err error) {
	path, err := view.PathOf(name)
	if fault.KindOf(err) == fault.NotFound {
		file = disk.From(p.Dir, name)
		if src, readErr := disk.ReadFile(file); src != nil && readErr == nil {
			found, err = p.alone(filepath.ToSlash(name), src)
			return file, found, err
		}
	}
	elsewhere := func(f result.Finding) bool { return f.Path != p.FromRoot(path) }
	return path, slices.DeleteFunc(slices.Clone(whole.Findings), elsewhere), err
}

// alone checks a file without regard to other files.
func (p *Query) alone(name string, src []byte) ([]result.Finding, error) {
	c, err := checkpoint.Parse(name, src)
	switch {
	case errors.Is(err, checkpoint.ErrOther):
		return nil, fault.New(fault.Invalid, "%q is not a checkpoint: it has no checkpoint key", name)
	case err != nil:
		set := &checkpoint.Set{Broken: []checkpoint.Broken{{Path: name, Err: err}}}
		return validate.Set(set, p.Now()).Findings, nil
	}
	return validate.Checkpoint(c, p.Now()), nil
}
