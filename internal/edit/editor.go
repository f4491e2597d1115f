package edit

import (
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/workspace"
)

type Editor struct {
	*workspace.Workspace
	others *others.Finder
	resume *resume.Resumer
}

func New(w *workspace.Workspace) *Editor {
	return &Editor{Workspace: w, others: others.New(w), resume: resume.New(w)}
}
