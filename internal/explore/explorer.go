package explore

import (
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/workspace"
)

type Explorer struct {
	*workspace.Workspace
	edit *edit.Editor
}

func New(w *workspace.Workspace) *Explorer {
	return &Explorer{Workspace: w, edit: edit.New(w)}
}
