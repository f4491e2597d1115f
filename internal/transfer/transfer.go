package transfer

import (
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/workspace"
)

type Transfer struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	planner *planner.Planner
}

func New(w *workspace.Workspace) *Transfer {
	return &Transfer{Workspace: w, edit: edit.New(w), history: history.New(w), planner: planner.New(w)}
}
