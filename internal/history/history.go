package history

import (
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/workspace"
)

type History struct {
	*workspace.Workspace
	others  *others.Finder
	resolve *resolve.Resolver
}

func New(w *workspace.Workspace) *History {
	return &History{Workspace: w, others: others.New(w), resolve: resolve.New(w)}
}
