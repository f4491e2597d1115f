package workspace

import (
	"context"
	"errors"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// write makes the change: the commit's objects first, which refuse whatever has
// to be refused while nothing is visible yet; then the files, under a journal that
// makes them change together; then the branch.
//
// on is what was checked out when the operation began: nothing else is committed to. The
// receipt of any change but undo tells which operations git took away, which are forgotten
// then.
func (a *applying) write(ctx context.Context) error {
	var lost []*uncommitted.Operation
	if a.tx.Op != OpUndo {
		lost, _ = a.w.Uncommitted.Lost(ctx) // where that cannot be told the change is made all the same
	}
	if err := a.writeChange(ctx); err != nil {
		return err
	}
	a.receipt.Remarks = append(a.w.Uncommitted.Remarks(lost), a.receipt.Remarks...)
	a.w.Uncommitted.Forget(lost...)
	return nil
}

// writeChange is write without a look at other operations.
func (a *applying) writeChange(ctx context.Context) error {
	p, o, cfg, on := a.w, a.tx, a.cfg, a.view.on
	sync, err := p.Repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	hold := func() error { return p.Repo.Index().Hold(ctx, on) }
	w := disk.Operation{Root: p.Repo.Root(), Files: o.Files.Under(p.Prefix), Written: o.Mode == Save, Sync: sync}
	switch cfg.Commit {
	case policy.Off:
		a.receipt.Pending = "not committed; ckpt save commits it"
		w.End = disk.ToFiles
		return a.writeUncommitted(w, nothing, nothing)
	case policy.Stage:
		a.receipt.Pending = "staged: rides with your next commit"
		w.End = disk.ToIndex
		return a.writeUncommitted(w, hold, func() error { return p.Repo.Index().Stage(ctx, w.Files) })
	}
	draft, err := commit.Of(p.Repo).Prepare(ctx, on, w.Files, Message(cfg, o), a.now)
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
	err = WriteFiles(a.w.Repo, w, draft, hold, func() error {
		a.receipt.Commit, err = draft.Land(ctx)
		if err == nil && a.receipt.Commit == "" { // HEAD has it already
			var head git.Head
			head, err = p.Repo.Head()
			a.receipt.Commit = head.Hash
		}
		a.receipt.Detached = err == nil && on.Branch() == "" // HEAD may be elsewhere by now
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
func (a *applying) writeUncommitted(w disk.Operation, hold, land func() error) error {
	o := a.tx
	if o.Op == OpUndo && len(o.Undoes) == 0 && !o.recommits { // the reverted record is removed instead
		return WriteFiles(a.w.Repo, w, nil, hold, land)
	}
	subject, _, _ := strings.Cut(Message(a.cfg, o), "\n")
	op := uncommitted.Operation{Op: o.Op, ID: o.ID, Subject: subject, Time: a.now, Commit: a.cfg.Commit, Undoes: o.Undoes}
	done, err := a.w.Uncommitted.Keep(op, o.Files)
	if err != nil {
		return err
	}
	err = WriteFiles(a.w.Repo, w, nil, hold, land)
	done(err)
	return err
}

// writeMerged writes and stages the files of a resolve during a merge.
func (a *applying) writeMerged(ctx context.Context) error {
	repo, receipt := a.w.Repo, a.receipt
	sync, err := repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	receipt.Pending = "staged: rides with " + continueCommand(repo.InProgress())
	if receipt.Resolution.Left() > 0 {
		receipt.Pending = "the rest is " + receipt.Pending
	}
	w := disk.Operation{Root: repo.Root(), Files: a.tx.Files.Under(a.w.Prefix), End: disk.ToMerge, Sync: sync}
	return WriteFiles(repo, w, nil, nothing, func() error { return repo.Index().StageMerged(ctx, w.Files) })
}

// continueCommand returns the command that ends or continues what git is in the middle of.
func continueCommand(state string) string {
	switch state {
	case "rebase", "cherry-pick", "revert":
		return "git " + state + " --continue"
	}
	return "your next git commit"
}

// nothing is the hold or land of an operation that needs none.
func nothing() error { return nil }

// WriteFiles changes all files, unless they are as wanted already, and runs land;
// if that fails they are put back. Before the first file changes hold keeps git from
// changing them, until all is done.
func WriteFiles(repo *git.Repo, w disk.Operation, draft *commit.Draft, hold, land func() error) error {
	journal, err := begin(repo, w, draft)
	if err != nil {
		return err
	}
	defer repo.Index().Release()
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
	repo.Index().Release() // before the journal ends: a death in between is settled by it
	return journal.Done()
}

// begin writes all that is to be on the device before the first file changes: the
// journal, the new files and the commit's objects.
func begin(repo *git.Repo, w disk.Operation, draft *commit.Draft) (journal *disk.Journal, err error) {
	var lost error
	parts := []func(){func() { journal, err = disk.Begin(repo.JournalDir(), w) }}
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
