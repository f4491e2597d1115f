// Package others finds checkpoints and learnings that exist only on other branches, or are newer
// there. It reads commits and fetches nothing. Package survey reads them from git, and package
// branches compares them.
package others

import (
	"context"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Finder finds checkpoints and learnings on other branches.
type Finder struct {
	checkpoints
	repo     *git.Repo
	disk     *store.Store
	prefix   string // the checkpoints folder, from the repository's root
	fromRoot func(rel string) string
	now      func() time.Time

	orLeftOut func(ctx context.Context, err error) error // see [folder.Folder.OrLeftOut]
}

// checkpoints reads what the branch that is checked out has.
type checkpoints interface {
	ReadWith(ctx context.Context, do func(*workspace.View) error) error
	Entries(ctx context.Context) ([]learnings.Entry, error)
}

// New returns the Finder of a workspace.
func New(w *workspace.Workspace) *Finder {
	return &Finder{checkpoints: w, repo: w.Repo, disk: w.Disk, prefix: w.Prefix, fromRoot: w.FromRoot, now: w.Now,
		orLeftOut: w.Base.OrLeftOut}
}
