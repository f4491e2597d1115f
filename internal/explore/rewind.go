package explore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/snapshot"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// RewindRequest describes how to end an exploration.
type RewindRequest struct {
	Report string
	Abort  bool // end it without a report
	Files  bool // restore the files that the mark has recorded
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
	if req.Files {
		return p.rewindFiles(ctx, req)
	}
	return p.rewind(ctx, p.checkpoints, req)
}

// rewind does the work of Rewind except for the files.
func (p *Explorer) rewind(ctx context.Context, on checkpoints, req RewindRequest) (*result.Receipt, error) {
	e := &result.Exploration{Report: req.Report}
	var marked *checkpoint.Checkpoint
	var head git.Head
	scratch, committed := "", false
	receipt, err := on.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, m, err := p.marked(view)
		if err != nil {
			return nil, err
		}
		rewound := req.Report != ""
		e.Rewound, e.Started, e.Ended = &rewound, result.At(m.At), result.At(now)
		e.Snapshot = m.Snapshot
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
			head, err = p.commits.Head()
		}
		if m.Snapshot != "" && !req.Files {
			o.Remarks = append(o.Remarks, "the files of the mark stay in "+m.Snapshot+" (ckpt rewind --snapshot "+m.Snapshot+")")
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
	tree, err := p.commits.Objects().Tree(p.prefix)
	if err != nil {
		return false, err
	}
	src, err := folder.Blob(p.repo, tree[c.Path])
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
	name, err := p.repo.Objects().Store(ctx, c.Doc.Bytes())
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

// rewindFiles does the work of Rewind with the files. Before the first file changes it checks that
// the checkpoint can be changed; if that fails later, it restores the files. The mark is removed
// last: if the process is killed before, the same command can be repeated.
func (p *Explorer) rewindFiles(ctx context.Context, req RewindRequest) (*result.Receipt, error) {
	unlock, err := p.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	snapshot, err := p.recorded(ctx)
	if err != nil {
		return nil, err
	}
	receipt, err := p.rewind(ctx, p.trial, req)
	if err != nil {
		return nil, err
	}
	if p.settings.DryRun {
		receipt.Remarks = append(receipt.Remarks, "the files would be as in "+snapshot.Ref)
		return receipt, nil
	}
	done, remarks, err := p.restore(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	receipt, err = p.rewind(ctx, p.checkpoints, req)
	if err != nil {
		if undone := p.restoreAgain(ctx, done.Saved); undone != nil {
			err = fault.New(fault.KindOf(err), "%w; the files are as in %s, and were as in %s", err, snapshot.Ref,
				done.Saved.Ref).
				WithHint("ckpt rewind --snapshot %s", done.Saved.Ref)
		}
		return nil, err
	}
	receipt.Exploration.Saved = done.Saved.Ref
	receipt.Remarks = append(remarks, receipt.Remarks...)
	return receipt, nil
}

// restoreAgain undoes the restore of a snapshot and removes all traces of it.
func (p *Explorer) restoreAgain(ctx context.Context, saved snapshot.Snapshot) error {
	ctx = context.WithoutCancel(ctx)
	done, err := snapshot.Of(p.repo).Restore(ctx, saved, p.prefix, p.settings.Now())
	if err != nil {
		return err
	}
	for _, s := range []snapshot.Snapshot{saved, done.Saved} {
		_ = snapshot.Of(p.repo).Delete(ctx, s) // the files, or the snapshot of the mark, have all of its content
	}
	return nil
}

// recorded returns the snapshot of the open mark.
func (p *Explorer) recorded(ctx context.Context) (snapshot.Snapshot, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	c, m, err := p.marked(view)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	if m.Snapshot == "" {
		return snapshot.Snapshot{}, fault.New(fault.NotFound, "the mark of %s has recorded no files", c.ID).
			WithHint("ckpt rewind REPORT; ckpt mark --snapshot records them")
	}
	return snapshot.Of(p.repo).Find(ctx, m.Snapshot)
}

// RewindTo restores the files of a snapshot. It changes no checkpoint.
func (p *Explorer) RewindTo(ctx context.Context, ref string) (*result.Receipt, error) {
	if err := p.topLevel(); err != nil {
		return nil, err
	}
	unlock, err := p.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	snapshot, err := snapshot.Of(p.repo).Find(ctx, ref)
	if err != nil {
		return nil, err
	}
	receipt := &result.Receipt{Op: "rewind", Summary: "files as in " + snapshot.Ref, Pending: "files only",
		Exploration: &result.Exploration{Snapshot: snapshot.Ref}}
	if p.settings.DryRun {
		receipt.DryRun, receipt.Remarks = true, []string{"the files would be as in " + snapshot.Ref}
		return receipt, nil
	}
	done, remarks, err := p.restore(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	receipt.Remarks, receipt.Exploration.Saved = remarks, done.Saved.Ref
	return receipt, nil
}

// restore restores a snapshot and returns a remark on it.
func (p *Explorer) restore(ctx context.Context, s snapshot.Snapshot) (snapshot.Restored, []string, error) {
	_, lost := snapshot.Of(p.repo).Interrupted()
	done, err := snapshot.Of(p.repo).Restore(ctx, s, p.prefix, p.settings.Now())
	if err != nil {
		return done, nil, err
	}
	remarks := []string{
		fmt.Sprintf("the files are as in %s: %s written, %d removed, %s", s.Ref, text.Count(done.Written, "file"),
			done.Removed, changesOfIndex(done.Staged)),
		fmt.Sprintf("what was there is in %s: ckpt rewind --snapshot %s", done.Saved.Ref, done.Saved.Ref),
	}
	if lost != "" && lost != s.Ref {
		remarks = append(remarks, "an earlier one was cut short: what was there before it is in "+lost)
	}
	moved, err := snapshot.Of(p.repo).HeadMoved(ctx, s, p.prefix)
	if err == nil && moved {
		remarks = append(remarks, "HEAD holds other files than then, and stays: git log "+s.Head[:7]+"..HEAD")
	}
	return done, remarks, err
}

func changesOfIndex(n int) string {
	if n == 0 {
		return "the index as it was"
	}
	return text.Count(n, "change") + " of the index"
}
