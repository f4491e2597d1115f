package project

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/store"
)

// MarkRequest begins an exploration.
type MarkRequest struct {
	Goal string
}

// Mark opens a mark in the current checkpoint: from now on notes go to its scratch,
// until [Project.Rewind] puts a report in the place of it all.
func (p *Project) Mark(ctx context.Context, req MarkRequest) (*report.Receipt, error) {
	if err := p.topLevel(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(req.Goal) == "" {
		return nil, fault.New(fault.Usage, "a mark has a goal: what is to be found out").WithHint("ckpt mark GOAL")
	}
	m := checkpoint.Mark{Goal: req.Goal}
	head, err := p.Repo.Head()
	if err != nil {
		return nil, err
	}
	m.Head = head.Hash
	trail, err := p.Repo.Trail(ctx, "", p.prefix, false)
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, f := range trail.Files {
		dirty = append(dirty, f.Path)
	}
	m.Dirty = checkpoint.DirtyFiles(dirty)
	receipt, err := p.change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		c, err := p.open(set, "")
		if err != nil {
			return nil, err
		}
		if err := unmarked(c); err != nil {
			return nil, err
		}
		m.At = now
		r := c.Revise().OpenMark(m)
		p.sign(r)
		marked, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o := &operation{op: "mark", id: c.ID, summary: firstLine(m.Goal), about: c.Path}
		o.revise(c, marked)
		return o, nil
	})
	if err != nil {
		return nil, err
	}
	receipt.Exploration = &report.Exploration{Goal: m.Goal, Started: m.At}
	return receipt, nil
}

// topLevel refuses a subagent: the exploration is its parent's.
func (p *Project) topLevel() error {
	if p.Subagent {
		return fault.New(fault.Unsupported, "Checkpoint not available in subagents.").WithHint("report to the agent that called you")
	}
	return nil
}

// unmarked refuses a checkpoint that has a mark.
func unmarked(c *checkpoint.Checkpoint) error {
	if m, ok := c.Mark(); ok {
		return fault.New(fault.Usage, "Checkpoint already active.").
			WithHint("ckpt rewind REPORT ends the one of %s (%s)", checkpoint.FormatTime(m.At), firstLine(m.Goal))
	}
	return nil
}
