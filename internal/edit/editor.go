// Package edit has the verbs that change checkpoints: new, delta, note, next, done, use, save,
// fold, archive, reopen, delete and prune, and init, which creates the folder.
//
// Each verb computes one transaction from the checkpoints as they are; package workspace
// applies it. So a verb never writes a file, and a dry run is the same code.
package edit

import (
	"context"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/agents/recorder"
	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/modified"
	"example.com/ckpt/internal/workspace/store"
)

// Editor changes the checkpoints of a repository.
type Editor struct {
	checkpoints
	workspace.Settings
	prefix   string // the checkpoints folder, as a path from the repository's root
	root     string // the repository's root
	stateDir string // the folder of the worktree's own state

	git        repository
	trails     trails
	base       bases
	unrecorded sessions
	recorder   *recorder.Recorder

	fromRoot     func(rel string) string  // fromRoot returns a path of the folder from the worktree's root
	fromHere     func(name string) string // fromHere returns a typed path relative to the repository's root
	previous     func() string            // previous returns the id of the checkpoint that was current before
	config       func() (policy.Config, error)
	policy       func(context.Context, *workspace.View) (policy.Config, error)
	modified     func(context.Context, *workspace.View) (func(*checkpoint.Checkpoint) time.Time, error)
	checkIgnored func(ctx context.Context, command string) error
}

// checkpoints reads checkpoints and applies transactions.
type checkpoints interface {
	Change(ctx context.Context, scope store.Scope, plan workspace.PlanFunc) (*result.Receipt, error)
	Read(ctx context.Context, scope store.Scope) (*workspace.View, error)
}

// repository answers questions about files in git.
type repository interface {
	Head() (git.Head, error)
	Committed(scope store.Scope) (map[string]string, error)
	// Lacks returns the files, whose paths are relative to the folder, that the last commit has
	// with other content.
	Lacks(ctx context.Context, files []change.File) ([]change.File, error)
	Staged(ctx context.Context, paths ...string) ([]log.FileChange, error)
	ModTime(path string) time.Time
	// Content returns a word for the content of a file; see [git.Worktree.Content].
	Content(path string) string
}

// trails returns what changed since a commit, without files that only `ckpt setup` changed.
type trails interface {
	Since(ctx context.Context, base changes.Base, exclude string, allAuthors bool) (changes.Work, error)
	Count(ctx context.Context, base changes.Base, exclude string) (changes.Count, error)
	Resolve(ctx context.Context, rev string) (string, error)
}

// bases finds the commit that a checkpoint describes.
type bases interface {
	Since(ctx context.Context, c *checkpoint.Checkpoint) changes.Base
}

// sessions finds recorded work that no delta describes.
type sessions interface {
	UnrecordedWork(ctx context.Context, c *checkpoint.Checkpoint, edits []changes.Edit, known bool) []record.Work
	OfOthers(all []record.Work) []record.Work
}

// New returns an editor of the checkpoints of w.
func New(w *workspace.Workspace) *Editor {
	return &Editor{
		checkpoints: w, Settings: w.Settings, prefix: w.Prefix, root: w.Repo.Root(), stateDir: w.Repo.StateDir(),
		git: gitFiles{w.Base.Folder}, trails: gitTrails{w}, base: w.Base, unrecorded: resume.New(w),
		recorder: w.Recorder,
		previous: w.Current.Previous, fromRoot: w.FromRoot, fromHere: w.FromHere,
		config: w.Disk.Config,
		policy: func(ctx context.Context, view *workspace.View) (policy.Config, error) { return view.Policy(ctx) },
		modified: func(ctx context.Context, view *workspace.View) (func(*checkpoint.Checkpoint) time.Time, error) {
			times, err := modified.Load(ctx, view.Folder, w.Now, store.All)
			return times.Of, err
		},
		checkIgnored: func(ctx context.Context, command string) error { return checkIgnored(ctx, w, command) },
	}
}

// gitFiles implements repository for a workspace.
type gitFiles struct{ *folder.Folder }

func (r gitFiles) Head() (git.Head, error)       { return r.Repo.Head() }
func (r gitFiles) ModTime(path string) time.Time { return r.Repo.Worktree().ModTime(path) }
func (r gitFiles) Content(path string) string    { return r.Repo.Worktree().Content(path) }

func (r gitFiles) Staged(ctx context.Context, paths ...string) ([]log.FileChange, error) {
	return log.Of(r.Repo).Staged(ctx, paths...)
}

// gitTrails implements trails for a workspace.
type gitTrails struct{ *workspace.Workspace }

func (t gitTrails) Since(ctx context.Context, base changes.Base, exclude string,
	allAuthors bool) (changes.Work, error) {
	work, err := changes.Of(t.Repo).Since(ctx, base, exclude, allAuthors)
	if err != nil {
		return changes.Work{}, err
	}
	work, _ = t.SplitSetup(ctx, work)
	return work, nil
}

func (t gitTrails) Count(ctx context.Context, base changes.Base, exclude string) (changes.Count, error) {
	return changes.Of(t.Repo).Count(ctx, base, exclude)
}

func (t gitTrails) Resolve(ctx context.Context, rev string) (string, error) {
	return log.Of(t.Repo).ResolveCode(ctx, rev)
}
