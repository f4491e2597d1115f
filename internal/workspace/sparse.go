package workspace

import (
	"context"

	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// SparseRemark is how many checkpoints of the last commit a sparse checkout keeps out of
// the working tree, in words and with the way to have them; "" for none.
func (p *Workspace) SparseRemark(ctx context.Context, scope store.Scope) (string, error) {
	tree, err := p.committedFiles(scope)
	if err != nil {
		return "", err
	}
	hidden, err := p.hidden(ctx, tree)
	n := 0
	for rel := range tree {
		if hidden[p.FromRoot(rel)] && IsCheckpointPath(rel) {
			n++
		}
	}
	if n == 0 || err != nil {
		return "", err
	}
	return "a sparse checkout leaves out " + text.Count(n, "checkpoint") + " (git sparse-checkout add " + p.Prefix + ")", nil
}
