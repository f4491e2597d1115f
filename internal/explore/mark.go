package explore

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/snapshot"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// MarkRequest describes an exploration to begin.
type MarkRequest struct {
	Goal     string
	Snapshot bool // record the working tree, so that Rewind can restore it
}

// Mark opens a mark in the current checkpoint. From then on notes go to its scratch, until
// [Explorer.Rewind] replaces the mark by a report.
func (p *Explorer) Mark(ctx context.Context, req MarkRequest) (*result.Receipt, error) {
	if err := p.MayExplore(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(req.Goal) == "" {
		return nil, fault.New(fault.Usage, "a mark has a goal: what is to be found out").WithHint("ckpt mark GOAL")
	}
	m := checkpoint.Mark{Goal: req.Goal}
	head, err := p.repo.Head()
	if err != nil {
		return nil, err
	}
	m.Head = head.Hash
	trail, err := changes.Of(p.repo).Since(ctx, changes.Base{}, p.prefix, false)
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, f := range trail.Files {
		dirty = append(dirty, f.Path)
	}
	m.Dirty = checkpoint.DirtyFiles(dirty)
	var taken snapshot.Snapshot
	if req.Snapshot && !p.settings.DryRun {
		taken, err = p.snapshot(ctx, req.Goal)
		if err != nil {
			return nil, err
		}
		m.Snapshot = taken.Ref
	}
	receipt, err := p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, err := p.unmarked(view)
		if err != nil {
			return nil, err
		}
		m.At = now
		r := revise.Begin(c).OpenMark(m)
		p.sign(r)
		marked, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "mark", ID: c.ID, Summary: text.FirstLine(m.Goal), Path: c.Path}
		o.Revise(c, marked)
		o.NoteOpen(req.Goal)
		return o, nil
	})
	if err != nil {
		if taken.Ref != "" {
			_ = snapshot.Of(p.repo).Delete(ctx, taken) // the snapshot is not needed: the mark was not opened
		}
		return nil, err
	}
	receipt.Exploration = &result.Exploration{Goal: m.Goal, Started: result.At(m.At), Snapshot: m.Snapshot}
	if m.Snapshot != "" {
		receipt.Remarks = append(receipt.Remarks,
			"the files are recorded in "+m.Snapshot+" (ckpt rewind --files REPORT restores them)")
	}
	return receipt, nil
}

// snapshot records the working tree for a mark that is about to be opened.
func (p *Explorer) snapshot(ctx context.Context, goal string) (snapshot.Snapshot, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	c, err := p.unmarked(view)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	return snapshot.Of(p.repo).Take(ctx, p.prefix, c.ID+": "+text.FirstLine(goal), p.settings.Now())
}
