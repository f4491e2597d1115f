package workspace

import (
	"context"

	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
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
	return changes.Of(r.Repo).PathHistories(ctx, span, here, gone, r.tracked)
}

func (r *DriftRepo) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	return r.Repo.Worktree().Ignored(ctx, paths)
}

func (r *DriftRepo) There(path string) bool { return r.Repo.Worktree().Exists(path) }
