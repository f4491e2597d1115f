package doctor

import (
	"example.com/ckpt/internal/agents/hooks"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/workspace"
)

type Checker struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	hooks   *hooks.Handler
	others  *others.Finder
	resolve *resolve.Resolver
}

func New(w *workspace.Workspace) *Checker {
	return &Checker{Workspace: w, edit: edit.New(w), history: history.New(w), hooks: hooks.New(w), others: others.New(w), resolve: resolve.New(w)}
}
