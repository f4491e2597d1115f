package explore

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Mark opens a mark in the current checkpoint. From then on notes go to its scratch, until
// [Explorer.Rewind] replaces the mark by a report.
func (p *Explorer) Mark(ctx context.Context, goal string) (*result.Receipt, error) {
	if err := p.MayExplore(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(goal) == "" {
		return nil, fault.New(fault.Usage, "a mark needs a goal: what to find out").WithHint("ckpt mark GOAL")
	}
	head, err := p.Repo.Head()
	if err != nil {
		return nil, err
	}
	trail, err := changes.Of(p.Repo).Since(ctx, changes.Base{}, p.Prefix, false)
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, f := range trail.Files {
		dirty = append(dirty, f.Path)
	}
	m := checkpoint.Mark{Goal: goal, Head: head.Hash, Dirty: checkpoint.DirtyFiles(dirty)}
	receipt, err := p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, err := p.unmarked(view)
		if err != nil {
			return nil, err
		}
		m.At = now
		r := revise.Begin(c).OpenMark(m)
		p.sign(c, r)
		marked, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "mark", ID: c.ID, Summary: text.FirstLine(m.Goal), Path: c.Path}
		o.Revise(c, marked)
		o.NoteOpen(goal)
		return o, nil
	})
	if err != nil {
		return nil, err
	}
	receipt.Exploration = &result.Exploration{Goal: m.Goal, Started: result.At(m.At)}
	return receipt, nil
}
