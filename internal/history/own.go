package history

import (
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
)

// own reports whether undo may undo the operation. On the checkpoint ref, which worktrees share, it
// may if the operation was made in this worktree and, for an agent in a session, in that session.
func (o Past) own(view *workspace.View, session string) bool {
	maker := ckptref.MakerOf(o.commit)
	sameSession := session == "" || session == maker.Session
	return sameSession && maker.Worktree != "" && maker.Worktree == view.Worktree()
}

// othersNamed is how many operations of others the refusal of an undo names.
const othersNamed = 3

// notOwn returns the error for an undo of more operations than this worktree, or session, has made.
// It names the last operations of others.
func notOwn(ctx context.Context, p *History, view *workspace.View, own int) error {
	ofOthers := func(o Past) bool {
		return o.undoable() && !o.own(view, p.Settings.Session) && ckptref.MakerOf(o.commit).Worktree != ""
	}
	others, err := p.History(ctx, othersNamed, ofOthers)
	if err != nil {
		return err
	}
	ofWhom := ""
	if p.Settings.Session != "" {
		ofWhom = " of this session"
	}
	what := "nothing" + ofWhom
	if own > 0 {
		what = "only " + text.Count(own, "operation"+ofWhom)
	}
	what += " to undo in this worktree"
	var named []string
	for _, o := range others {
		named = append(named, o.Commit[:7]+" "+strings.TrimPrefix(o.Subject, "ckpt: ")+
			" (made "+ckptref.MakerOf(o.commit).String()+")")
	}
	if len(named) > 0 {
		what += "; the newest operations are others': " + strings.Join(named, ", ")
	}
	return fault.New(fault.NotFound, "%s", what).WithHint("ckpt undo --list; ckpt restore ID --at REV")
}

// unmarked returns a checkpoint as the checkpoint ref has it, where none is marked as current.
func unmarked(c *checkpoint.Checkpoint) *checkpoint.Checkpoint {
	if !c.MarkedCurrent() {
		return c
	}
	return withStatus(c, checkpoint.Active)
}

// withStatus returns a checkpoint with another status, or as it is if its status cannot be changed.
func withStatus(c *checkpoint.Checkpoint, status checkpoint.Status) *checkpoint.Checkpoint {
	revised, err := revise.Begin(c).SetStatus(status).Apply()
	if err != nil {
		return c
	}
	return revised
}

// markAgain marks the checkpoint as current that was current on this branch before the undone
// operations, which are listed from the newest. If another one has been made current since, it
// stays. A checkpoint that was current until an undone operation archived it is current again.
func markAgain(ctx context.Context, view *workspace.View, o *workspace.Tx, all []Past) error {
	current := ""
	if c := view.Set.Current(); c != nil {
		current = c.ID
	}
	chosen, err := view.ChosenOnBranch(ctx, "")
	if err != nil {
		return err
	}
	var record []byte
	id := current
	if id == "" {
		id = chosen
	}
	blob := view.Repo.Objects().Blob
	for _, past := range all {
		for _, f := range past.commit.Files {
			if !view.OnBranch(workspace.BranchOf(f.Path)) {
				continue
			}
			after, err := blob(f.After)
			if err != nil {
				return err
			}
			if checkout.FirstLine(after) != id {
				continue
			}
			record, err = blob(f.Before)
			if err != nil {
				return err
			}
			if shown := past.commit.Trailers[workspace.TrailerCurrent]; f.Before == "" && len(shown) > 0 {
				record = []byte(shown[0] + "\n") // the branch had chosen none, and began with what was current
			}
			id = checkout.FirstLine(record)
		}
	}
	o.Record(record)
	return o.MarkCurrent(view, id)
}
