package explore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
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
	var marked *checkpoint.Checkpoint
	var head git.Head
	scratch, committed := "", false
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
			p.sign(r)
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
		marked, scratch = c, m.Scratch
		committed, err = p.inHistory(c, m)
		if err == nil {
			head, err = p.Commits.Head()
		}
		return o, err
	})
	if err != nil {
		return nil, err
	}
	if scratch != "" && !receipt.DryRun {
		where := fmt.Sprintf("the scratch stays in history: ckpt show %s --at %.7s", marked.ID, head.Hash)
		if !committed {
			where = p.storeScratch(ctx, marked)
		}
		receipt.Remarks = append(receipt.Remarks, where)
	}
	receipt.Exploration = e
	return receipt, nil
}

// inHistory reports whether the last commit contains the scratch of a mark.
func (p *Explorer) inHistory(c *checkpoint.Checkpoint, m checkpoint.Mark) (bool, error) {
	tree, err := p.Commits.Objects().Tree(p.Prefix)
	if err != nil {
		return false, err
	}
	src, err := p.Repo.Objects().Blob(tree[c.Path])
	if src == nil || err != nil {
		return false, err
	}
	old, err := checkpoint.Parse(c.Path, src)
	if err != nil {
		return false, nil // the file was broken then and has been repaired since
	}
	was, _ := old.Mark()
	return was.Scratch == m.Scratch, nil
}

// storeScratch stores a checkpoint whose scratch no commit contains as a blob that no ref names, and
// returns a remark with its name.
func (p *Explorer) storeScratch(ctx context.Context, c *checkpoint.Checkpoint) string {
	name, err := p.Repo.Objects().Store(ctx, c.Doc.Bytes())
	if err != nil { // the rewind itself is done
		return "no commit holds the scratch, and git did not keep it: " + err.Error()
	}
	return fmt.Sprintf("no commit holds the scratch; git keeps it for two weeks: git show %.12s", name)
}

// noMark returns the error for a checkpoint without a mark.
func noMark(c *checkpoint.Checkpoint) error {
	hint := "ckpt mark GOAL: create a checkpoint before calling rewind"
	if deltas := c.Deltas(); len(deltas) > 0 && deltas[len(deltas)-1].IsReport() {
		hint = "checkpoint already completed: continue from the retained rewind report (ckpt resume)"
	}
	return fault.New(fault.NotFound, "No active checkpoint.").WithHint("%s", hint)
}
