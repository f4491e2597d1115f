package hooks

import (
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/scan"
	"example.com/ckpt/internal/workspace"
)

type Handler struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	query   *query.Query
	resume  *resume.Resumer
	scan    *scan.Scanner
}

func New(w *workspace.Workspace) *Handler {
	return &Handler{Workspace: w, edit: edit.New(w), history: history.New(w), query: query.New(w), resume: resume.New(w), scan: scan.New(w)}
}
