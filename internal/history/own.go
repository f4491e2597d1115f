package history

import (
	"cmp"
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
)

// own reports whether the operation was made in this worktree and, for an agent in a session, in that session. Undo
// does not touch other operations, since worktrees share the checkpoint ref.
func (o Past) own(view *workspace.View, session string) bool {
	maker := ckptref.MakerOf(o.commit)
	sameSession := session == "" || session == maker.Session
	return sameSession && maker.Worktree != "" && maker.Worktree == view.Worktree()
}

// notOwn returns the error for an undo or redo of more operations than this worktree, or session, has made.
func notOwn(op, session string, own int) error {
	ofWhom := ""
	if session != "" {
		ofWhom = " of this session"
	}
	what := "nothing" + ofWhom
	if own > 0 {
		what = "only " + text.Count(own, "operation"+ofWhom)
	}
	return fault.New(fault.NotFound, "%s to %s in this worktree", what, op).
		WithHint("ckpt undo --list shows who made the others; ckpt restore ID --at REV")
}

// shared returns the content of a file as the checkpoint ref has it: not marked as current, and with the line ends with
// which git stores it.
func (p *History) shared(rel string, src []byte) []byte {
	if p.Publishes() {
		src, _ = checkout.Stored(p.Repo, p.FromRoot(rel), src) // if git fails, line ends count as edited
	}
	return checkout.Shared(rel, src)
}

// sharedOf returns a checkpoint as the checkpoint ref has it.
func (p *History) sharedOf(c *checkpoint.Checkpoint) *checkpoint.Checkpoint {
	if shared, err := checkpoint.Parse(c.Path, p.shared(c.Path, c.Doc.Bytes())); err == nil {
		return shared
	}
	return c
}

// markAgain marks as current the checkpoint that was current on this branch before the undone
// operations, which are listed from the newest. If another one has been made current since, it
// stays. A checkpoint that was current until an undone operation archived it is current again.
func markAgain(ctx context.Context, view *workspace.View, o *workspace.Tx, all []Past) error {
	id, err := view.ChosenOnBranch(ctx, "")
	if err != nil {
		return err
	}
	if c := view.Set.Current(); c != nil {
		id = c.ID
	}
	for _, past := range all {
		for _, f := range past.commit.Files {
			if !view.OnBranch(workspace.BranchOf(f.Path)) {
				continue
			}
			after, err := view.Repo.Objects().Blob(f.After)
			if err != nil {
				return err
			}
			if checkout.FirstLine(after) == id {
				id = cmp.Or(strings.Join(past.commit.Trailers[workspace.TrailerCurrent], ""), checkout.None)
			}
		}
	}
	o.MarkCurrent(view, id)
	return nil
}
