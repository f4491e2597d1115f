package workspace

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// unmergedFiles are the files of ckpt's that git could not merge, sorted, by path from
// the root. It costs a git.
func (p *Workspace) unmergedFiles(ctx context.Context) ([]string, error) {
	found, err := log.Of(p.Repo).Conflicts(ctx, p.Prefix)
	var paths []string
	for _, rel := range slices.Sorted(maps.Keys(found)) {
		if store.Keeps(rel) {
			paths = append(paths, p.FromRoot(rel))
		}
	}
	return paths, err
}

// ConflictRemark is the remark for whoever reads while a merge, or the like, has left files in
// conflict: what is shown is one side of them. "" for none; where git is in the middle of
// nothing that costs nothing, and what is left in a file is seen there.
func (p *Workspace) ConflictRemark(ctx context.Context) (string, error) {
	if p.Repo.InProgress() == "" {
		return "", nil
	}
	paths, err := p.unmergedFiles(ctx)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	return "in conflict, read as your own side has it: " + strings.Join(paths, ", ") + " (ckpt resolve)", nil
}

// unmerged finds what a merge has left in conflict.
func (p *Workspace) Unmerged(ctx context.Context, d *result.Diagnosis, _ bool) error {
	paths, err := p.unmergedFiles(ctx)
	for _, path := range paths {
		d.Ailments = append(d.Ailments, result.Ailment{Code: "conflict", What: path + " is in conflict: git could not merge it", Fix: "ckpt resolve"})
	}
	return err
}
