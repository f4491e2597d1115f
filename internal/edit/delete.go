package edit

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// DeleteRequest describes which checkpoints to delete: one, or all of a session.
type DeleteRequest struct {
	ID        string    // a full id, with or without chk-
	Session   string    // all checkpoints of this session, instead of an ID
	OlderThan time.Time // only checkpoints last changed before this time; zero means all
	Force     bool      // also delete a checkpoint that is current, has children or has staged edits
}

// Delete removes the file of a checkpoint, or the files of a session, in one operation. History
// keeps them, and LEARNINGS.md keeps their learnings.
func (p *Editor) Delete(ctx context.Context, req DeleteRequest) (*result.Receipt, error) {
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		if req.Session != "" {
			return p.deleteSession(ctx, view, req)
		}
		c, err := view.Set.Whole(req.ID)
		if err != nil {
			return nil, err
		}
		if !req.OlderThan.IsZero() {
			modified, err := p.modified(ctx, view)
			if err != nil {
				return nil, err
			}
			if at := modified(c); !at.Before(req.OlderThan) {
				return nil, fault.New(fault.Refused, "%s was changed %s, which is not so long ago", c.ID,
					checkpoint.FormatTime(at)).
					WithHint("ckpt delete %s without --older-than", c.ID)
			}
		}
		o := &workspace.Tx{Op: "delete", ID: c.ID, Path: c.Path, Summary: "from " + path.Dir(c.Path) + "/"}
		err = p.drop(ctx, view.Set, c, req.Force, o)
		o.Remarks = append(o.Remarks, "ckpt undelete "+c.ID+" restores it")
		return o, err
	})
}

// deleteSession deletes the checkpoints of a session that have not changed since OlderThan, or all if that is zero. If
// it may not delete one of them, it deletes none.
func (p *Editor) deleteSession(ctx context.Context, view *workspace.View, req DeleteRequest) (*workspace.Tx, error) {
	modified, err := p.modified(ctx, view)
	if err != nil {
		return nil, err
	}
	rest := *view.Set // a child that is deleted, too, does not prevent the deletion of its parent
	var going []*checkpoint.Checkpoint
	rest.All = slices.DeleteFunc(slices.Clone(rest.All), func(c *checkpoint.Checkpoint) bool {
		if c.Field("session") != req.Session || !req.OlderThan.IsZero() && !modified(c).Before(req.OlderThan) {
			return false
		}
		going = append(going, c)
		return true
	})
	if len(going) == 0 {
		which := ""
		if !req.OlderThan.IsZero() {
			which = " was last changed before " + checkpoint.FormatTime(req.OlderThan)
		}
		return nil, fault.New(fault.NotFound, "no checkpoint of session %s%s", req.Session, which).
			WithHint("ckpt list --all --json shows what there is")
	}
	slices.SortFunc(going, func(a, b *checkpoint.Checkpoint) int { return strings.Compare(a.ID, b.ID) })
	o := &workspace.Tx{Op: "delete"}
	o.Summary = text.Count(len(going), "checkpoint") + " of session " + req.Session + ": " +
		text.List(workspace.IDs(going), namedInSummary)
	for _, c := range going {
		if err := p.drop(ctx, &rest, c, req.Force, o); err != nil {
			return nil, err
		}
		o.Trailers = append(o.Trailers, workspace.TrailerID+": "+c.ID)
	}
	o.Remarks = append(o.Remarks, howBack)
	return o, nil
}

// drop adds the deletion of a checkpoint to an operation. Unless forced, it refuses the current checkpoint, one with
// children, and a file with edits that only the index has, since git would lose them. Other uncommitted edits have
// become an operation of their own before.
func (p *Editor) drop(ctx context.Context, set *checkpoint.Set, c *checkpoint.Checkpoint, force bool,
	o *workspace.Tx) error {
	children, file := workspace.IDs(set.Children(c.ID)), p.FromRoot(c.Path)
	isCurrent := c.Status() == checkpoint.Current || p.Pins(c.ID)
	staged, err := p.stagedEdits(ctx)
	switch {
	case force:
	case isCurrent:
		return fault.New(fault.Refused, "%s is the current checkpoint", c.ID).
			WithHint("ckpt use ID or unset CKPT_ID first, or --force")
	case len(children) > 0:
		return fault.New(fault.Refused, "%s has children: %s", c.ID, strings.Join(children, ", ")).
			WithHint("ckpt delete %s first, or --force", children[0])
	case err != nil:
		return err
	case staged[file]:
		return fault.New(fault.Refused, "the index has edits of %s that no commit has: they would be lost", file).
			WithHint("git restore --staged %s drops them; so does --force", file)
	}
	if isCurrent {
		o.Remarks = append(o.Remarks, workspace.WithoutCurrent(set, c))
	}
	if len(children) > 0 {
		o.Remarks = append(o.Remarks, c.ID+" was the parent of "+strings.Join(children, ", "))
	}
	o.Put(c.Path, c.Doc.Bytes(), nil)
	return nil
}
