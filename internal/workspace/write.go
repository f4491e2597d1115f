package workspace

import (
	"context"
	"errors"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// write makes the change: the commit's objects first, which refuse whatever has
// to be refused while nothing is visible yet; then the files, under a journal that
// makes them change together; then the branch.
//
// on is what was checked out when the operation began: nothing else is committed to. The
// receipt of any change but undo tells which operations git took away, which are forgotten
// then.
func (p *Workspace) write(ctx context.Context, on git.Checkout, o *Tx, policy policy.Config, now time.Time,
	receipt *result.Receipt) error {
	var lost []*uncommitted.Operation
	if o.Op != OpUndo {
		lost, _ = p.Uncommitted.Lost(ctx) // where that cannot be told the change is made all the same
	}
	if err := p.writeChange(ctx, on, o, policy, now, receipt); err != nil {
		return err
	}
	receipt.Remarks = append(p.Uncommitted.Remarks(lost), receipt.Remarks...)
	p.Uncommitted.Forget(lost...)
	return nil
}

// writeChange is write without a look at other operations.
func (p *Workspace) writeChange(ctx context.Context, on git.Checkout, o *Tx, cfg policy.Config, now time.Time,
	receipt *result.Receipt) error {
	sync, err := p.Repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	hold := func() error { return p.Repo.Index().Hold(ctx, on) }
	w := disk.Operation{Root: p.Repo.Root(), Files: o.Files.Under(p.Prefix), Written: o.Mode == Save, Sync: sync}
	switch cfg.Commit {
	case policy.Off:
		receipt.Pending = "not committed; ckpt save commits it"
		w.End = disk.ToFiles
		return p.writeUncommitted(o, cfg, now, w, nothing, nothing)
	case policy.Stage:
		receipt.Pending = "staged: rides with your next commit"
		w.End = disk.ToIndex
		return p.writeUncommitted(o, cfg, now, w, hold, func() error { return p.Repo.Index().Stage(ctx, w.Files) })
	}
	draft, err := commit.Of(p.Repo).Prepare(ctx, on, w.Files, Message(cfg, o), now)
	if err != nil {
		return err
	}
	w.End = disk.ToCommit
	if o.Mode == Save {
		w.End = disk.ToSave
	}
	if draft.ByGit() {
		hold = func() error { return p.Repo.Left(on) }
	}
	err = p.WriteFiles(w, draft, hold, func() error {
		receipt.Commit, err = draft.Land(ctx)
		if err == nil && receipt.Commit == "" { // HEAD has it already
			var head git.Head
			head, err = p.Repo.Head()
			receipt.Commit = head.Hash
		}
		receipt.Detached = err == nil && on.Branch() == "" // HEAD may be elsewhere by now
		return err
	})
	if errors.Is(err, disk.ErrChanged) {
		if left := p.Repo.Left(on); left != nil {
			return left
		}
	}
	return err
}

// writeUncommitted is writeFiles for an operation that makes no commit: undo has to know
// of it all the same.
func (p *Workspace) writeUncommitted(o *Tx, policy policy.Config, now time.Time, w disk.Operation, hold,
	land func() error) error {
	if o.Op == OpUndo && len(o.Undoes) == 0 && !o.recommits { // the reverted record is removed instead
		return p.WriteFiles(w, nil, hold, land)
	}
	subject, _, _ := strings.Cut(Message(policy, o), "\n")
	op := uncommitted.Operation{Op: o.Op, ID: o.ID, Subject: subject, Time: now, Commit: policy.Commit, Undoes: o.Undoes}
	done, err := p.Uncommitted.Keep(op, o.Files)
	if err != nil {
		return err
	}
	err = p.WriteFiles(w, nil, hold, land)
	done(err)
	return err
}

// nothing is the hold or land of an operation that needs none.
func nothing() error { return nil }

// WriteFiles changes all files, unless they are as wanted already, and runs land;
// if that fails they are put back. Before the first file changes hold keeps git from
// changing them, until all is done.
func (p *Workspace) WriteFiles(w disk.Operation, draft *commit.Draft, hold, land func() error) error {
	journal, err := p.begin(w, draft)
	if err != nil {
		return err
	}
	defer p.Repo.Index().Release()
	undo := journal.Revert
	if w.Written {
		undo = journal.Done
	}
	err = hold()
	if err == nil && !w.Written {
		err = journal.Apply()
	}
	if err == nil {
		err = land()
	}
	if err != nil {
		if back := undo(); back != nil {
			return fault.New(fault.Failed, "%w; putting the files back: %w", err, back)
		}
		return err
	}
	p.Repo.Index().Release() // before the journal ends: a death in between is settled by it
	return journal.Done()
}

// begin writes all that is to be on the device before the first file changes: the
// journal, the new files and the commit's objects.
func (p *Workspace) begin(w disk.Operation, draft *commit.Draft) (journal *disk.Journal, err error) {
	var lost error
	parts := []func(){func() { journal, err = disk.Begin(p.Repo.JournalDir(), w) }}
	if draft != nil {
		parts = append(parts, func() { lost = draft.Store(w.Sync) })
	}
	disk.Each(len(parts), w.Sync, func(i int) { parts[i]() })
	if lost != nil && err == nil {
		if back := journal.Done(); back != nil {
			lost = fault.New(fault.Failed, "%w; %w", lost, back)
		}
		return nil, lost
	}
	return journal, err
}
