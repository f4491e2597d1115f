// Package transfer imports checkpoints from notes and from the JSON of other tools. It exports checkpoints as JSON for
// these tools, and as a static site. An import never changes its sources. It puts text that fits no section of the
// format in a section of its own. The packages importing and schema convert the texts; they need no repository.
package transfer

import (
	"context"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/figures"
	"example.com/ckpt/internal/workspace/store"
)

// project is the part of a workspace that Transfer uses. It reads checkpoints and the policy, and writes all
// checkpoints of an import in one operation.
type project interface {
	Read(ctx context.Context, scope store.Scope) (*workspace.View, error)
	ReadWith(ctx context.Context, do func(*workspace.View) error) error
	Change(ctx context.Context, scope store.Scope, do workspace.PlanFunc) (*result.Receipt, error)
	Policy(ctx context.Context) (policy.Config, error)
}

// Transfer imports and exports checkpoints.
type Transfer struct {
	settings workspace.Settings
	repo     *git.Repo
	fromRoot func(rel string) string
	project  project
	edit     *edit.Editor
	history  *history.History
	planner  *planner.Planner
	figures  figures.File
}

// New returns the Transfer of a workspace.
func New(w *workspace.Workspace) *Transfer {
	return &Transfer{settings: w.Settings, repo: w.Repo, fromRoot: w.FromRoot, project: w,
		edit: edit.New(w), history: history.New(w), planner: planner.New(w), figures: w.Figures}
}
