package resume

import (
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/workspace"
)

type Resumer struct {
	*workspace.Workspace
	history *history.History
	others  *others.Finder
}

func New(w *workspace.Workspace) *Resumer {
	return &Resumer{Workspace: w, history: history.New(w), others: others.New(w)}
}
