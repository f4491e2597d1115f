// Package others finds checkpoints and learnings that exist only on other branches, or are newer
// there. It reads commits and fetches nothing. Package survey reads them from git, and package
// branches compares them.
package others

import (
	"example.com/ckpt/internal/workspace"
)

// Finder finds checkpoints and learnings on other branches.
type Finder struct {
	*workspace.Workspace
}

// New returns the Finder of a workspace.
func New(w *workspace.Workspace) *Finder {
	return &Finder{Workspace: w}
}
