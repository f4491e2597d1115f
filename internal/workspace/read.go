package workspace

import (
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/remote"
	"example.com/ckpt/internal/workspace/store"
)

// Read loads the set as one moment saw it: no operation of ckpt is half done in
// it, what a killed one left behind is settled first, and what waits to land counts
// as done.
func (p *Workspace) Read(ctx context.Context, scope store.Scope) (*checkpoint.Set, error) {
	var set *checkpoint.Set
	_, err := p.LoadWith(ctx, func() (err error) {
		set, err = p.Store.Load(scope)
		return err
	})
	return set, err
}

// LoadWith lets do read the store as one moment saw it.
func (p *Workspace) LoadWith(ctx context.Context, do func() error) (*State, error) {
	if err := p.RecoverInterrupted(ctx); err != nil {
		return nil, err
	}
	unlock, err := p.Repo.Lock(ctx, disk.Shared)
	if fault.KindOf(err) == fault.Busy {
		return p.loadUnlocked(ctx, do) // a hook or a signer is slow
	}
	if err != nil {
		return nil, err
	}
	defer unlock()
	s, err := p.LoadState(ctx)
	if err != nil {
		return nil, err
	}
	return s, do()
}

// loadUnlocked loads while another process holds the lock but has not yet changed a file, so
// that the files are those before its operation. If a journal appears meanwhile, it tries
// again.
func (p *Workspace) loadUnlocked(ctx context.Context, do func() error) (*State, error) {
	for range 10 {
		before, err := disk.Moment(p.Repo.JournalDir())
		if err != nil {
			return nil, err
		}
		s, err := p.LoadState(ctx)
		if err != nil {
			return nil, err
		}
		err = do()
		if after, busy := disk.Moment(p.Repo.JournalDir()); busy == nil && after == before && after != "" {
			return s, err
		}
	}
	return nil, fault.New(fault.Busy, "another ckpt is changing the files").WithHint("try again")
}

// RecoverInterrupted brings what a killed operation left behind to the state before it or
// after it. Where nothing was left it costs a small read.
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

// Recover completes an operation that died, if its commit is in history, and otherwise rolls
// it back. The caller must hold the lock.
func (p *Workspace) Recover(ctx context.Context) error {
	journal, err := disk.Pending(p.Repo.JournalDir(), p.Repo.Root())
	if journal == nil || err != nil {
		return err
	}
	if err := p.Repo.Sweep(); err != nil {
		return err
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
			return journal.Revert()
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
			return journal.Revert()
		}
		if err := p.Repo.Index().Repair(ctx, journal.Files()); err != nil {
			return err
		}
	}
	if err := journal.Finish(); err != nil {
		return err
	}
	switch journal.End {
	case disk.ToIndex:
		err = p.Repo.Index().Stage(ctx, journal.Files())
	case disk.ToMerge:
		err = p.Repo.Index().StageMerged(ctx, journal.Files())
	}
	if err != nil {
		return err
	}
	return journal.Done()
}

// UnreadableIn is the remarks on the files of a set that cannot be read.
func UnreadableIn(set *checkpoint.Set) (all []string) {
	for _, b := range set.Broken {
		all = append(all, b.Path+" cannot be read: "+b.Why())
	}
	return all
}
