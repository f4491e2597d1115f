package query

import (
	"cmp"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
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

// elsewhere returns 1 for a checkpoint that belongs to another branch, and 0 for others.
func elsewhere(e *result.Entry) int {
	if e.Elsewhere {
		return 1
	}
	return 0
}
