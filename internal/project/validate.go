package project

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/validate"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/store"
)

// Validate checks the whole folder, or what the names mean: ids, or paths of
// files anywhere. The report names files as editors and people do: from the
// repository's root, and those outside the folder as they were given.
func (p *Project) Validate(ctx context.Context, names []string) (*result.Report, error) {
	set, err := p.read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	whole := validate.Set(set, p.Now())
	for i := range whole.Findings {
		whole.Findings[i].Path = p.fromRoot(whole.Findings[i].Path)
	}
	if len(names) == 0 {
		return &whole, nil
	}
	r := &result.Report{Checked: len(names)}
	for _, name := range names {
		findings, err := p.findings(set, whole, name)
		if err != nil {
			return nil, err
		}
		r.Findings = append(r.Findings, findings...)
	}
	return r, nil
}

// findings is the part of a report that is about the checkpoint, or the file
// outside the folder, that a name means.
func (p *Project) findings(set *checkpoint.Set, whole result.Report, name string) ([]result.Finding, error) {
	path, err := p.named(set, name)
	if fault.KindOf(err) == fault.NotFound {
		file := name
		if !filepath.IsAbs(file) {
			file = filepath.Join(p.Dir, file)
		}
		if src, readErr := disk.ReadFile(file); src != nil && readErr == nil {
			return p.alone(filepath.ToSlash(name), src)
		}
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(whole.Findings), func(f result.Finding) bool { return f.Path != p.fromRoot(path) }), nil
}

// alone checks a file by itself.
func (p *Project) alone(name string, src []byte) ([]result.Finding, error) {
	c, err := checkpoint.Parse(name, src)
	switch {
	case errors.Is(err, checkpoint.ErrOther):
		return nil, fault.New(fault.Invalid, "%q is no checkpoint: it has no checkpoint key", name)
	case err != nil:
		set := &checkpoint.Set{Broken: []checkpoint.Broken{{Path: name, Err: err}}}
		return validate.Set(set, p.Now()).Findings, nil
	}
	return validate.Checkpoint(c, p.Now()), nil
}
