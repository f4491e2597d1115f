package edit

import (
	"context"
	"path"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// ArchiveRequest describes how to archive a checkpoint.
type ArchiveRequest struct {
	ID        string
	Outcome   string // may be empty if the file has a Completion with an outcome
	Learnings []string
	Back      bool // add the outcome as a step to the parent, and make the parent current
	Force     bool // archive even if children are active
}

// Archive writes the Completion, moves the file to archive/ and adds its learnings to LEARNINGS.md, in one operation.
func (p *Editor) Archive(ctx context.Context, req ArchiveRequest) (*result.Receipt, error) {
	takes, _, _ := takeUp(p, false, true)
	sent := repeatOf(p.Settings, "archive", req, p.Pinned)
	receipt, err := p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.Set
		c, err := view.WithSet(workspace.Live(set)).Open(req.ID)
		// A retry finds no live checkpoint or, with Back, the parent as the first request left it.
		if fault.KindOf(err) == fault.NotFound || c != nil && sent.made(p, c) {
			if done := sent.newest(p, set.Archived()); done != nil {
				return &workspace.Tx{Op: "archive", ID: done.ID, Summary: text.FirstLine(done.Outcome()), Path: done.Path}, nil
			}
		}
		if err != nil {
			return nil, err
		}
		if err := archivable(set, c, req.Force); err != nil {
			return nil, err
		}
		done, err := revise.Archive(c, req.Outcome, req.Learnings, now)
		if err != nil {
			return nil, err
		}
		if len(set.Archived()) >= flatArchive {
			done.Path = path.Join(path.Dir(done.Path), now.UTC().Format("2006/01"), path.Base(done.Path))
		}
		if err := p.vacant(view, done); err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "archive", ID: c.ID, Summary: text.FirstLine(done.Outcome()), Path: done.Path, Takes: takes}
		o.Revise(c, done)
		o.BeforeCommit = func() {
			p.remember(sent, done, nil)
			if req.Back {
				p.remember(sent, set.After(o.Files.Files).Current(), nil)
			}
		}
		o.NoteOpen(append(req.Learnings, req.Outcome)...)
		if err := o.Harvest(view, done, now); err != nil {
			return nil, err
		}
		if req.Back {
			if err := o.ReturnToParent(set, c, done); err != nil {
				return nil, err
			}
		} else if c.Status() == checkpoint.Current {
			o.Remarks = append(o.Remarks, workspace.WithoutCurrent(set, c))
		}
		return o, p.remindToPrune(ctx, view, o, now)
	})
	return p.pruneAfter(ctx, receipt, err)
}

// flatArchive is the number of archived files at which new ones begin to go into a folder per month. With
// every commit, git writes the list of all files of a changed folder again.
const flatArchive = 1000

func archivable(set *checkpoint.Set, c *checkpoint.Checkpoint, force bool) error {
	if m, ok := c.Mark(); ok {
		return fault.New(fault.Refused, "%s has an open mark: %s", c.ID, text.FirstLine(m.Goal)).
			WithHint("ckpt rewind REPORT, or ckpt rewind --abort")
	}
	if children := workspace.ActiveChildren(set, c); len(children) > 0 && !force {
		return fault.New(fault.Refused, "%s has active children: %s", c.ID, strings.Join(children, ", ")).
			WithHint("ckpt archive %s first, or --force", children[0])
	}
	return nil
}

// vacant returns an error if the new path or the id of a moved checkpoint is taken.
func (p *Editor) vacant(view *workspace.View, moved *checkpoint.Checkpoint) error {
	for _, other := range view.Set.All {
		if checkpoint.InArchive(other.Path) == checkpoint.InArchive(moved.Path) && other.ID == moved.ID {
			return fault.New(fault.Refused, "%s has the id %s already", p.FromRoot(other.Path), moved.ID).
				WithHint("ckpt validate")
		}
	}
	have, err := view.Store.Read(moved.Path)
	if err == nil && have != nil {
		return fault.New(fault.Refused, "%s exists already", p.FromRoot(moved.Path)).WithHint("ckpt show %s", moved.Path)
	}
	return err
}

// Reopen makes an archived checkpoint active again. It removes a Completion of the form that Archive writes, and its
// learnings from LEARNINGS.md unless they were edited. Any other Completion stays, unless force is set.
func (p *Editor) Reopen(ctx context.Context, id string, force bool) (*result.Receipt, error) {
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, err := view.Target(id)
		if err == nil && c.Status() != checkpoint.Archived {
			err = fault.New(fault.Usage, "%s is not archived", c.ID).WithHint("ckpt use %s", c.ID)
		}
		if err != nil {
			return nil, err
		}
		open, kept, err := revise.Reopen(c, force)
		if err != nil {
			return nil, err
		}
		if err := p.vacant(view, open); err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "reopen", ID: c.ID, Summary: "active again, from " + path.Dir(c.Path) + "/", Path: open.Path}
		o.Revise(c, open)
		o.NoteReplaced(c, open, "")
		o.Remarks = append(o.Remarks, "ckpt use "+c.ID+" makes it current")
		if kept {
			o.Remarks = append(o.Remarks,
				"the Completion is not as ckpt archive writes it: it stays, as \""+revise.FormerCompletion+
					"\" (--force removes it)")
		}
		return o, o.Unharvest(view, c)
	})
}
