package explore

import (
	"context"
	"fmt"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/snapshot"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// rewindFiles does the work of Rewind with the files. Before the first file changes it checks that
// the checkpoint can be changed; if that fails later, it restores the files. The mark is removed
// last: if the process is killed before, the same command can be repeated.
func (p *Explorer) rewindFiles(ctx context.Context, req RewindRequest) (*result.Receipt, error) {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	snapshot, err := p.marked(ctx)
	if err != nil {
		return nil, err
	}
	dry := *p.Workspace
	dry.DryRun = true
	trial := New(&dry)
	receipt, err := trial.rewind(ctx, req)
	if err != nil {
		return nil, err
	}
	if p.DryRun {
		receipt.Remarks = append(receipt.Remarks, "the files would be as in "+snapshot.Ref)
		return receipt, nil
	}
	done, remarks, err := p.bringBack(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	receipt, err = p.rewind(ctx, req)
	if err != nil {
		if undone := p.bringBackAgain(ctx, done.Saved); undone != nil {
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

// bringBackAgain undoes the restore of a snapshot and removes all traces of it.
func (p *Explorer) bringBackAgain(ctx context.Context, saved snapshot.Snapshot) error {
	ctx = context.WithoutCancel(ctx)
	done, err := snapshot.Of(p.Repo).Restore(ctx, saved, p.Prefix, p.Now())
	if err != nil {
		return err
	}
	for _, s := range []snapshot.Snapshot{saved, done.Saved} {
		_ = snapshot.Of(p.Repo).Delete(ctx, s) // the files, or the snapshot of the mark, have all of its content
	}
	return nil
}

// marked returns the snapshot of the open mark.
func (p *Explorer) marked(ctx context.Context) (snapshot.Snapshot, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	c, err := view.Open("")
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	m, ok := c.Mark()
	if !ok {
		return snapshot.Snapshot{}, noMark(c)
	}
	if m.Snapshot == "" {
		return snapshot.Snapshot{}, fault.New(fault.NotFound, "the mark of %s has recorded no files", c.ID).
			WithHint("ckpt rewind REPORT; ckpt mark --snapshot records them")
	}
	return snapshot.Of(p.Repo).Find(ctx, m.Snapshot)
}

// RewindTo restores the files of a snapshot. It changes no checkpoint.
func (p *Explorer) RewindTo(ctx context.Context, ref string) (*result.Receipt, error) {
	if err := p.topLevel(); err != nil {
		return nil, err
	}
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	snapshot, err := snapshot.Of(p.Repo).Find(ctx, ref)
	if err != nil {
		return nil, err
	}
	receipt := &result.Receipt{Op: "rewind", Summary: "files as in " + snapshot.Ref, Pending: "files only",
		Exploration: &result.Exploration{Snapshot: snapshot.Ref}}
	if p.DryRun {
		receipt.DryRun, receipt.Remarks = true, []string{"the files would be as in " + snapshot.Ref}
		return receipt, nil
	}
	done, remarks, err := p.bringBack(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	receipt.Remarks, receipt.Exploration.Saved = remarks, done.Saved.Ref
	return receipt, nil
}

// bringBack restores a snapshot and returns a remark on it.
func (p *Explorer) bringBack(ctx context.Context, s snapshot.Snapshot) (snapshot.Restored, []string, error) {
	_, lost := snapshot.Of(p.Repo).Interrupted()
	done, err := snapshot.Of(p.Repo).Restore(ctx, s, p.Prefix, p.Now())
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
	moved, err := snapshot.Of(p.Repo).HeadMoved(ctx, s, p.Prefix)
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
