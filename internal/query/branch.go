package query

import (
	"cmp"
	"context"
	"slices"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Branch selects the checkpoints of one branch.
type Branch struct {
	Only bool
	Name string // empty for the branch that is checked out
}

// of returns the name of the branch.
func (b Branch) of(view *workspace.View) (string, error) {
	name := cmp.Or(b.Name, view.Branch())
	if name == "" {
		return "", fault.New(fault.Usage, "HEAD is detached: no branch is checked out").WithHint("--branch=NAME")
	}
	return name, nil
}

// other returns the name of the branch if its checkpoints are to be read from its last commit, since
// they are not in this worktree; else "".
func (b Branch) other(view *workspace.View) (string, error) {
	if !b.Only || view.OnRef() {
		return "", nil
	}
	name, err := b.of(view)
	if err != nil || view.OnBranch(name) {
		return "", err
	}
	return name, nil
}

// onBranch returns the checkpoints of a branch: in ref mode those that belong to it, in the other
// modes those in its last commit. All are those of this worktree.
func (p *Query) onBranch(ctx context.Context, view *workspace.View, all []*result.Entry, scope store.Scope,
	b Branch) ([]*result.Entry, error) {
	name, err := b.of(view)
	switch {
	case err != nil:
		return nil, err
	case view.OnRef():
		return slices.DeleteFunc(all, func(e *result.Entry) bool { return e.Branch != name }), nil
	case view.OnBranch(name):
		return all, nil
	}
	return p.others.OnBranch(ctx, name, scope)
}

// elsewhere returns 1 for a checkpoint that belongs to another branch, and 0 for others.
func elsewhere(e *result.Entry) int {
	if e.Elsewhere {
		return 1
	}
	return 0
}
