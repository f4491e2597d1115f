// Package transfer imports checkpoints from notes and from the JSON of other tools, and exports
// them to it. An import never changes its sources, and what has no place in the format is put
// in a section of its own. Packages importing and schema do both without a repository.
package transfer

import (
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/workspace"
)

// Transfer imports and exports checkpoints.
type Transfer struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	planner *planner.Planner
}

// New returns the Transfer of a workspace.
func New(w *workspace.Workspace) *Transfer {
	return &Transfer{Workspace: w, edit: edit.New(w), history: history.New(w), planner: planner.New(w)}
}
