package scan

import (
	"example.com/ckpt/internal/workspace"
)

type Scanner struct {
	*workspace.Workspace
}

func New(w *workspace.Workspace) *Scanner {
	return &Scanner{Workspace: w}
}
