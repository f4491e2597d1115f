// Package history finds, compares and restores former versions of checkpoints, and undoes
// operations. It reads them from git: from commits, from the pending ref, and from the records of
// operations that made no commit. It never rewrites a commit. If the text that an undo would revert
// has changed since, it refuses and names the text.
package history

import (
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/workspace"
)

// History reads and restores former versions of checkpoints, and undoes operations.
type History struct {
	*workspace.Workspace
	others  *others.Finder
	resolve *resolve.Resolver
}

// New returns the History of a workspace.
func New(w *workspace.Workspace) *History {
	return &History{Workspace: w, others: others.New(w), resolve: resolve.New(w)}
}
