// Package edit has the verbs that change checkpoints: new, delta, note, next, done, use, save,
// fold, archive, reopen, delete and prune, and init, which creates the folder.
//
// Each verb computes one transaction from the checkpoints as they are; package workspace
// applies it. So a verb never writes a file, and a dry run is the same code.
package edit

import (
	"context"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/modified"
	"example.com/ckpt/internal/workspace/store"
)

// Editor changes the checkpoints of a repository.
type Editor struct {
	*workspace.Workspace
}

// New returns an editor of the checkpoints of w.
func New(w *workspace.Workspace) *Editor { return &Editor{w} }

// Sign records the agent and its session in a revision of c, if they are known. It keeps those that an import stored.
func (p *Editor) Sign(c *checkpoint.Checkpoint, r *revise.Revision) {
	saved := schema.Front(c)
	for key, is := range map[string]string{"agent": p.Agent, "session": p.Session} {
		if is != "" && saved[key] == "" {
			r.Set(key, is)
		}
	}
}

// modified returns a function that returns when a checkpoint of a view was last changed.
func (p *Editor) modified(ctx context.Context, view *workspace.View) (func(*checkpoint.Checkpoint) time.Time, error) {
	times, err := modified.Load(ctx, view.Folder, p.Now, store.All)
	return times.Of, err
}
