// Package scan searches for secrets in the checkpoint files, in what is staged, and in history. It
// only reports: a finding has the place of a secret, and never its value.
package scan

import (
	"example.com/ckpt/internal/workspace"
)

// Scanner searches for secrets.
type Scanner struct {
	*workspace.Workspace
}

// New returns the Scanner of a workspace.
func New(w *workspace.Workspace) *Scanner {
	return &Scanner{Workspace: w}
}
