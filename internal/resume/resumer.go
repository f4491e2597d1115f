// Package resume builds the brief of a checkpoint: from the file, the learnings, the facts that git
// knows, and the record of what sessions did. It never fails because of a fact: if git is slow or
// cannot answer, the brief has a remark instead.
package resume

import (
	"context"
	"time"

	"example.com/ckpt/internal/agents/recorder"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/base"
	"example.com/ckpt/internal/workspace/figures"
	"example.com/ckpt/internal/workspace/store"
)

// Resumer builds briefs.
type Resumer struct {
	checkpoints
	workspace.Settings
	repo         *git.Repo
	prefix       string    // the checkpoints folder, from the repository's root
	commits      *git.Repo // where the commits of checkpoints are: see [folder.Folder]
	fromRoot     func(rel string) string
	base         base.Finder
	previous     func() (id string, left time.Time) // [workspace.Workspace.Previous]
	recorder     *recorder.Recorder
	figures      figures.File
	withoutSetup func(context.Context, []changes.Edit) []changes.Edit

	history *history.History
}

// checkpoints reads the checkpoints and the learnings.
type checkpoints interface {
	Read(ctx context.Context, scope store.Scope) (*workspace.View, error)
	AllLearnings(ctx context.Context) ([]learnings.Learning, error)
}

// New returns a Resumer of a workspace.
func New(w *workspace.Workspace) *Resumer {
	return &Resumer{
		checkpoints: w, Settings: w.Settings, repo: w.Repo, prefix: w.Prefix, commits: w.Commits,
		fromRoot: w.FromRoot, base: w.Base,
		previous: w.Previous, recorder: w.Recorder, figures: w.Figures, withoutSetup: w.WithoutSetup,
		history: history.New(w),
	}
}
