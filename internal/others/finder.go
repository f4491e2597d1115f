package others

import (
	"example.com/ckpt/internal/workspace"
)

type Finder struct {
	*workspace.Workspace
}

func New(w *workspace.Workspace) *Finder {
	return &Finder{Workspace: w}
}
