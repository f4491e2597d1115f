package workspace

import (
	"context"
	"path/filepath"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
)

// DriftRepo implements [drift.Repository] for a repository.
type DriftRepo struct {
	Repo    *git.Repo
	tracked *git.Tracked
}

func (r *DriftRepo) Index(ctx context.Context) (drift.Index, error) {
	var err error
	r.tracked, err = r.Repo.Index().Tracked(ctx)
	return r.tracked, err
}

func (r *DriftRepo) ReadFile(path string) ([]byte, error) {
	return disk.ReadFile(filepath.Join(r.Repo.Root(), filepath.FromSlash(path)))
}

func (r *DriftRepo) HasCommits() (bool, error) {
	head, err := r.Repo.Head()
	return head.Hash != "", err
}

func (r *DriftRepo) CompleteHistory() (bool, error) {
	cut, err := r.Repo.Objects().Shallow()
	return len(cut) == 0, err
}

func (r *DriftRepo) History(ctx context.Context, span string, here,
	gone []string) (map[string]drift.PathHistory, error) {
	found, err := changes.Of(r.Repo).PathHistories(ctx, span, here, gone, r.tracked)
	all := map[string]drift.PathHistory{}
	for path, f := range found {
		all[path] = drift.PathHistory{Path: f.Path, Commits: f.Commits, To: f.To, Commit: f.Commit, Date: f.Date}
	}
	return all, err
}

func (r *DriftRepo) Unsearchable(err error) bool { return fault.KindOf(err) == fault.Failed }

func (r *DriftRepo) Differing(ctx context.Context, commit string, paths []string) (map[string]bool, error) {
	return changes.Of(r.Repo).Differing(ctx, commit, paths)
}

func (r *DriftRepo) Grep(ctx context.Context, rev string, words []string, exclude string) (map[string][]string, error) {
	return log.Of(r.Repo).Grep(ctx, rev, words, exclude)
}

func (r *DriftRepo) FileAt(ctx context.Context, commit, path string) ([]byte, error) {
	return r.Repo.Objects().FileAt(ctx, commit, path)
}

func (r *DriftRepo) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	return r.Repo.Worktree().Ignored(ctx, paths)
}

func (r *DriftRepo) There(path string) bool { return r.Repo.Worktree().Exists(path) }
