package workspace

import (
	"context"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/remote"
)

// RecoverInterrupted completes an operation that was killed, or restores the state before it.
// Usually there is none, and it costs a small read.
func (p *Workspace) RecoverInterrupted(ctx context.Context) error {
	under, err := disk.Interrupted(p.Repo.JournalDir())
	if !under || err != nil {
		return err
	}
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	return p.Recover(ctx)
}

// LockForChange takes the lock for a change, or for reading in a dry run. What a killed operation
// left behind is completed or rolled back then.
func (p *Workspace) LockForChange(ctx context.Context) (unlock func(), err error) {
	if err := p.RecoverInterrupted(ctx); err != nil {
		return nil, err
	}
	if err := p.locate(ctx); err != nil {
		return nil, err
	}
	if p.DryRun {
		return p.Repo.Lock(ctx, disk.Shared)
	}
	unlock, err = p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	if err := p.Recover(ctx); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// Recover completes an operation that was killed if its commit is in history, and otherwise rolls
// it back. The caller must have the lock.
func (p *Workspace) Recover(ctx context.Context) error {
	journal, err := disk.Pending(p.Repo.JournalDir(), p.Repo.Root())
	if journal == nil || err != nil {
		return err
	}
	if err := p.Repo.Sweep(); err != nil {
		return err
	}
	revert := func() error {
		if err := journal.Revert(); err != nil {
			return err
		}
		return journal.Done()
	}
	if journal.Back {
		return revert()
	}
	if from, to, ok := journal.End.Move(); ok {
		head, err := p.Repo.Head()
		if err != nil {
			return err
		}
		moved, err := remote.Of(p.Repo).Contains(ctx, head.Hash, to)
		if err != nil {
			return err
		}
		if !moved {
			return revert()
		}
		if err := p.finishMove(ctx, from, to); err != nil {
			return err
		}
	}
	if journal.End == disk.ToCommit || journal.End == disk.ToSave {
		landed, err := p.Repo.Objects().HasAll(ctx, journal.Files())
		switch {
		case err != nil:
			return err
		case !landed && journal.End == disk.ToSave:
			return journal.Done()
		case !landed:
			return revert()
		}
		if err := p.Repo.Index().Repair(ctx, journal.Files()); err != nil {
			return err
		}
	}
	if err := journal.Finish(); err != nil {
		return err
	}
	if journal.End == disk.ToMerge {
		if err := p.Repo.Index().StageMerged(ctx, journal.Files()); err != nil {
			return err
		}
	}
	return journal.Done()
}

// finishMove updates the index to the commit to which the branch was moved, if the process was
// killed in between.
func (p *Workspace) finishMove(ctx context.Context, from, to string) error {
	was, err := p.Repo.Objects().FolderAt(ctx, from, p.Prefix)
	if err != nil {
		return err
	}
	will, err := p.Repo.Objects().FolderAt(ctx, to, p.Prefix)
	if err != nil {
		return err
	}
	entries, err := Mover(p.folder()).PlanIndex(ctx, was, will)
	if err != nil {
		return err
	}
	return p.Repo.Index().Set(ctx, entries)
}
