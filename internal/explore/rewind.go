package explore

import (
	"context"
	"fmt"
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

// RewindRequest describes how to end an exploration.
type RewindRequest struct {
	Report string
	Abort  bool // end it without a report
}

// Rewind replaces the mark and its scratch by a report, which is a delta. With Abort it removes
// both and writes no report. All other changes stay, and history keeps the scratch.
func (p *Explorer) Rewind(ctx context.Context, req RewindRequest) (*result.Receipt, error) {
	if err := p.topLevel(); err != nil {
		return nil, err
	}
	req.Report = strings.TrimSpace(req.Report)
	if req.Report == "" && !req.Abort {
		return nil, fault.New(fault.Usage, "Report cannot be empty.").WithHint("ckpt rewind REPORT, or ckpt rewind --abort")
	}
	e := &result.Exploration{Report: req.Report}
	where := "" // a remark on where the scratch remains; empty without a scratch
	receipt, err := p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, m, err := p.marked(view)
		if err != nil {
			return nil, err
		}
		rewound := req.Report != ""
		e.Rewound, e.Started, e.Ended = &rewound, result.At(m.At), result.At(now)
		r := revise.Begin(c).DropMark(m)
		o := &workspace.Tx{Op: "rewind", ID: c.ID, Summary: text.FirstLine(req.Report), Path: c.Path}
		if req.Abort {
			o.Summary = "gave up: " + text.FirstLine(m.Goal)
		} else {
			r.Report(m.Goal, req.Report, now)
			p.sign(c, r)
		}
		revised, err := r.Apply()
		if err != nil {
			return nil, err
		}
		o.Revise(c, revised)
		o.NoteOpen(req.Report)
		if n := len(c.Marks()); n > 1 {
			o.Remarks = append(o.Remarks,
				fmt.Sprintf("%s is still open in %s (ckpt rewind REPORT)", text.Count(n-1, "mark"), c.ID))
		}
		head, err := p.Commits.Head()
		if m.Scratch != "" {
			where = fmt.Sprintf("the scratch stays in history: ckpt show %s --at %.7s", c.ID, head.Hash)
		}
		return o, err
	})
	if err != nil {
		return nil, err
	}
	if where != "" && !receipt.DryRun {
		receipt.Remarks = append(receipt.Remarks, where)
	}
	receipt.Exploration = e
	return receipt, nil
}

// noMark returns the error for a checkpoint without a mark.
func noMark(c *checkpoint.Checkpoint) error {
	hint := "ckpt mark GOAL: create a checkpoint before calling rewind"
	if deltas := c.Deltas(); len(deltas) > 0 && deltas[len(deltas)-1].IsReport() {
		hint = "checkpoint already completed: continue from the retained rewind report (ckpt resume)"
	}
	return fault.New(fault.NotFound, "No active checkpoint.").WithHint("%s", hint)
}
