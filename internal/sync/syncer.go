package sync

import (
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/workspace"
)

type Syncer struct {
	*workspace.Workspace
	resolve *resolve.Resolver
}

func New(w *workspace.Workspace) *Syncer {
	return &Syncer{Workspace: w, resolve: resolve.New(w)}
}
