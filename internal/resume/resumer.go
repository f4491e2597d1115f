// Package resume builds the brief of a checkpoint: from the file, the learnings, the facts that git
// knows, and the record of what sessions did. It never fails because of a fact: if git is slow or
// cannot answer, the brief has a remark instead.
package resume

import (
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/workspace"
)

// Resumer builds briefs.
type Resumer struct {
	*workspace.Workspace
	history *history.History
}

// New returns a Resumer of a workspace.
func New(w *workspace.Workspace) *Resumer { return &Resumer{Workspace: w, history: history.New(w)} }
