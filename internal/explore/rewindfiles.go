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

// rewindFiles is Rewind with the files. Whether the checkpoint's part can be done is
// known before the first file changes; if it then fails all the same, the files come
// back as they were. The mark goes last: after a death half way it is still there, and
// the same command once more brings everything to its end.
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

// bringBackAgain undoes a bringing back, and leaves no trace of it.
func (p *Explorer) bringBackAgain(ctx context.Context, saved snapshot.Snapshot) error {
	ctx = context.WithoutCancel(ctx)
	done, err := snapshot.Of(p.Repo).Restore(ctx, saved, p.Prefix, p.Now())
	if err != nil {
		return err
	}
	for _, s := range []snapshot.Snapshot{saved, done.Saved} {
		_ = snapshot.Of(p.Repo).Delete(ctx, s) // all that they hold is there, or in the snapshot of the mark
	}
	return nil
}

// marked is the snapshot of the open mark.
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

// RewindTo brings the files of a snapshot back, and touches no checkpoint.
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

// bringBack brings a snapshot back, and says so.
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
