package workspace

import (
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/git"
)

// Anchor returns the present position in git: branch@commit.
func Anchor(head git.Head) string {
	branch := head.Branch()
	if branch == "" {
		branch = "detached"
	}
	if head.Hash == "" {
		return branch
	}
	return branch + "@" + head.Hash[:7]
}

// ClearCurrents makes every checkpoint marked as current active, except one.
func (o *Tx) ClearCurrents(set *checkpoint.Set, except string) error {
	for _, c := range set.MarkedCurrent() {
		if c.ID == except {
			continue
		}
		revised, err := revise.Begin(c).SetStatus(checkpoint.Active).Apply()
		if err != nil {
			return err
		}
		o.Revise(c, revised)
	}
	return nil
}
