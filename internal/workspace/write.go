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
// On is what was checked out when the operation began: if something else is checked out now, write
// does not commit. The receipts of all changes except undo and redo name the operations that git has
// removed; their records are then deleted.
func (a *applying) write(ctx context.Context) error {
	var lost []*uncommitted.Operation
	if !a.tx.takesBack() {
		lost, _ = a.w.Uncommitted.Lost(ctx) // if this fails, the change is made without the remark
	}
	if err := a.writeChange(ctx); err != nil {
		return err
	}
	a.receipt.Remarks = append(a.w.Uncommitted.Remarks(lost), a.receipt.Remarks...)
	a.w.Uncommitted.Forget(lost...)
	return nil
}

// writeChange does the work of write without reporting lost operations. It is the only function
// that commits a transaction, or writes its files without a commit.
func (a *applying) writeChange(ctx context.Context) error {
	p, o, cfg, on := a.w, a.tx, a.cfg, a.view.on
	sync, err := p.Repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	w := disk.Operation{Root: p.Repo.Root(), Files: o.Files.Under(a.folder()), Written: o.Mode == Save, Sync: sync}
	if cfg.Commit == policy.Off {
		a.receipt.Pending = "not committed; ckpt save commits it"
		w.End = disk.ToFiles
		return a.writeUncommitted(w)
	}
	draft, err := commit.Of(p.Repo).Prepare(ctx, on, w.Files, Message(cfg, o), a.now)
	if err != nil {
		return err
	}
	w.End = disk.ToCommit
	if o.Mode == Save {
		w.End = disk.ToSave
	}
	hold := func() error { return p.Repo.Index().Hold(ctx, on) }
	if draft.ByGit() {
		hold = func() error { return p.Repo.Left(on) }
	}
	err = WriteFiles(a.w.Repo, w, draft, hold, func() error {
		a.receipt.Commit, err = draft.Land(ctx)
		if err == nil && a.receipt.Commit == "" { // HEAD already has the content
			var head git.Head
			head, err = p.Repo.Head()
			a.receipt.Commit = head.Hash
		}
		a.receipt.Detached = err == nil && on.Branch() == "" // HEAD may have moved by now
		return err
	})
	if errors.Is(err, disk.ErrChanged) {
		if left := p.Repo.Left(on); left != nil {
			return left
		}
	}
	return err
}

// writeUncommitted does the work of WriteFiles for an operation that makes no commit, and records
// it for undo.
func (a *applying) writeUncommitted(w disk.Operation) error {
	o := a.tx
	subject, _, _ := strings.Cut(Message(a.cfg, o), "\n")
	op := uncommitted.Operation{Op: o.Op, ID: o.ID, Subject: subject, Time: a.now, Undoes: o.Undoes}
	done, err := a.w.Uncommitted.Keep(op, o.Files)
	if err != nil {
		return err
	}
	err = WriteFiles(a.w.Repo, w, nil, nothing, nothing)
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

// continueCommand returns the command that completes or continues the merge or the like in
// progress.
func continueCommand(state string) string {
	switch state {
	case "rebase", "cherry-pick", "revert":
		return "git " + state + " --continue"
	}
	return "your next git commit"
}

// nothing is used for hold or land by an operation that needs neither.
func nothing() error { return nil }

// WriteFiles changes all files, unless they already have the wanted content, and then runs land. If
// land fails, it restores the files. Before the first file changes, hold prevents git from changing
// them until all is done.
func WriteFiles(repo *git.Repo, w disk.Operation, draft *commit.Draft, hold, land func() error) error {
	journal, err := begin(repo, w, draft)
	if err != nil {
		return err
	}
	defer repo.Index().Release()
	err = hold()
	if err == nil && !w.Written {
		err = journal.Apply()
	}
	if err == nil {
		err = land()
	}
	if err != nil && !w.Written {
		if back := journal.Revert(); back != nil {
			return fault.New(fault.Failed, "%w; putting the files back: %w", err, back)
		}
	}
	repo.Index().Release() // before the journal ends: if the process is killed in between, the journal completes it
	if behind := draft != nil && draft.Behind(); !behind && !repo.FileRefs().Locks.Left() {
		_ = journal.Done() // if this fails, too, the next command does what is left
	}
	return err
}

// begin writes everything that must be on the device before the first file changes: the journal,
// the new files and the commit's objects.
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
