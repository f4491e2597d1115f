package resolve

import (
	"example.com/ckpt/internal/workspace"
)

type Resolver struct {
	*workspace.Workspace
}

func New(w *workspace.Workspace) *Resolver {
	return &Resolver{Workspace: w}
}
