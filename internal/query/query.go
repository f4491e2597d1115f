// Package query answers questions about checkpoints: it lists, searches, inspects and validates
// them, and determines whether a delta is due. Apart from Prune, it changes nothing.
package query

import (
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/workspace"
)

// Query answers questions about the checkpoints of a workspace.
type Query struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	resume  *resume.Resumer
}

// New returns the Query of a workspace.
func New(w *workspace.Workspace) *Query {
	return &Query{Workspace: w, edit: edit.New(w), history: history.New(w), resume: resume.New(w)}
}
