package query

import (
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/workspace"
)

type Query struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	others  *others.Finder
	resume  *resume.Resumer
}

func New(w *workspace.Workspace) *Query {
	return &Query{Workspace: w, edit: edit.New(w), history: history.New(w), others: others.New(w), resume: resume.New(w)}
}
