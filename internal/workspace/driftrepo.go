package workspace

import (
	"context"
	"path/filepath"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// driftRepo is a repository as a check of drift needs it.
type DriftRepo struct {
	*git.Repo
	tracked *git.Tracked
}

func (r *DriftRepo) Index(ctx context.Context) (drift.Index, error) {
	var err error
	r.tracked, err = r.Tracked(ctx)
	return r.tracked, err
}

func (r *DriftRepo) ReadFile(path string) ([]byte, error) {
	return disk.ReadFile(filepath.Join(r.Root(), filepath.FromSlash(path)))
}

func (r *DriftRepo) HasCommits() (bool, error) {
	head, err := r.Head()
	return head.Hash != "", err
}

func (r *DriftRepo) CompleteHistory() (bool, error) {
	cut, err := r.Shallow()
	return len(cut) == 0, err
}

func (r *DriftRepo) History(ctx context.Context, span string, here, gone []string) (map[string]drift.PathHistory, error) {
	fates, err := r.Fates(ctx, span, here, gone, r.tracked)
	all := map[string]drift.PathHistory{}
	for path, f := range fates {
		all[path] = drift.PathHistory{Path: f.Path, Commits: f.Commits, To: f.To, Commit: f.Commit, Date: f.Date}
	}
	return all, err
}

func (r *DriftRepo) Unsearchable(err error) bool { return fault.KindOf(err) == fault.Failed }
