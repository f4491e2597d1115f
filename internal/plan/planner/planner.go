package planner

import (
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/workspace"
)

type Planner struct {
	*workspace.Workspace
	edit *edit.Editor
}

func New(w *workspace.Workspace) *Planner {
	return &Planner{Workspace: w, edit: edit.New(w)}
}
