package project

import (
	"context"
	"strings"

	"example.com/ckpt/internal/core/report"
)

// inConflict are the files of the folder that git could not merge, by path from the root.
func (p *Project) inConflict(ctx context.Context) ([]string, error) {
	all, err := p.Repo.Unmerged(ctx, p.prefix)
	var paths []string
	for _, u := range all {
		paths = append(paths, u.Path)
	}
	return paths, err
}

// conflicts is the remark for whoever looks while git is in the middle of a merge: what
// is shown is one side of it. It costs a git, so nobody else waits for it.
func (p *Project) conflicts(ctx context.Context) (string, error) {
	if p.Repo.InProgress() == "" {
		return "", nil
	}
	paths, err := p.inConflict(ctx)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	return "in conflict: " + strings.Join(paths, ", ") + " (ckpt resolve)", nil
}

// unsettled finds what a merge has left in conflict.
func (p *Project) unsettled(ctx context.Context, d *report.Diagnosis, _ bool) error {
	paths, err := p.inConflict(ctx)
	for _, path := range paths {
		d.Ailments = append(d.Ailments, report.Ailment{Code: "conflict", What: path + " is in conflict: git could not merge it", Fix: "ckpt resolve"})
	}
	return err
}
