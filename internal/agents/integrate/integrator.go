package integrate

import (
	"example.com/ckpt/internal/workspace"
)

type Integrator struct {
	*workspace.Workspace
}

func New(w *workspace.Workspace) *Integrator {
	return &Integrator{Workspace: w}
}
