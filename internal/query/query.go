// Package query answers questions about checkpoints: it lists, searches, inspects and validates
// them, and determines whether a delta is due. Apart from Prune, it changes nothing.
package query

import (
	"context"
	"time"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/base"
	"example.com/ckpt/internal/workspace/figures"
	"example.com/ckpt/internal/workspace/store"
)

// Query answers questions about the checkpoints of a workspace.
type Query struct {
	checkpoints
	repo     *git.Repo
	prefix   string // the checkpoints folder, from the repository's root
	fromRoot func(rel string) string
	commits  *git.Repo // where the commits of checkpoints are: see [folder.Folder]
	dir      string    // the folder for relative paths of the caller
	now      func() time.Time
	base     base.Finder
	figures  figures.File

	edit    *edit.Editor
	history *history.History
	resume  *resume.Resumer
}

// checkpoints reads the checkpoints and, for Prune, applies a transaction to them.
type checkpoints interface {
	Read(ctx context.Context, scope store.Scope) (*workspace.View, error)
	ReadWith(ctx context.Context, do func(*workspace.View) error) error
	Change(ctx context.Context, scope store.Scope, plan workspace.PlanFunc) (*result.Receipt, error)
	AllLearnings(ctx context.Context) ([]learnings.Learning, error)
	Policy(ctx context.Context) (policy.Config, error)
}

// New returns the Query of a workspace.
func New(w *workspace.Workspace) *Query {
	return &Query{
		checkpoints: w, repo: w.Repo, prefix: w.Prefix, fromRoot: w.FromRoot, commits: w.Commits,
		dir: w.Dir, now: w.Now, base: w.Base, figures: w.Figures,
		edit: edit.New(w), history: history.New(w), resume: resume.New(w),
	}
}
