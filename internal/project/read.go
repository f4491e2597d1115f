package project

import (
	"context"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/store"
)

// read loads the set as one moment saw it: no operation of ckpt is half done in
// it, what a killed one left behind is settled first, and what waits to land counts
// as done.
func (p *Project) read(ctx context.Context, scope store.Scope) (*checkpoint.Set, error) {
	var set *checkpoint.Set
	_, err := p.glance(ctx, func() (err error) {
		set, err = p.Store.Load(scope)
		return err
	})
	return set, err
}

// glance lets do read the store as one moment saw it.
func (p *Project) glance(ctx context.Context, do func() error) (*scene, error) {
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	unlock, err := p.Repo.Lock(ctx, disk.Shared)
	if fault.KindOf(err) == fault.Busy {
		return p.peek(ctx, do) // a hook takes its time, or a signer
	}
	if err != nil {
		return nil, err
	}
	defer unlock()
	s, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	return s, do()
}

// peek is glance while somebody else holds the lock and has not begun to change a
// file: what is there is the state before. If a journal appears meanwhile, it is not.
func (p *Project) peek(ctx context.Context, do func() error) (*scene, error) {
	for range 10 {
		before, err := disk.Moment(p.Repo.JournalDir())
		if err != nil {
			return nil, err
		}
		s, err := p.look(ctx)
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

// settle brings what a killed operation left behind to the state before it or
// after it. Where nothing was left it costs a small read.
func (p *Project) settle(ctx context.Context) error {
	under, err := disk.Interrupted(p.Repo.JournalDir())
	if !under || err != nil {
		return err
	}
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	return p.recover(ctx)
}

// recover ends the journal of an operation that died, if there is one: forward,
// but for one whose commit is not in history, which is taken back. The caller
// holds the lock.
func (p *Project) recover(ctx context.Context) error {
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
		moved, err := p.Repo.Contains(ctx, head.Hash, to)
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
		landed, err := p.Repo.Holds(ctx, journal.Files())
		switch {
		case err != nil:
			return err
		case !landed && journal.End == disk.ToSave:
			return journal.Done()
		case !landed:
			return journal.Revert()
		}
		if err := p.Repo.Settle(ctx, journal.Files()); err != nil {
			return err
		}
	}
	if err := journal.Finish(); err != nil {
		return err
	}
	switch journal.End {
	case disk.ToIndex:
		err = p.Repo.Stage(ctx, journal.Files())
	case disk.ToMerge:
		err = p.Repo.StageMerged(ctx, journal.Files())
	}
	if err != nil {
		return err
	}
	return journal.Done()
}

// unreadableIn is the remarks on the files of a set that cannot be read.
func unreadableIn(set *checkpoint.Set) (all []string) {
	for _, b := range set.Broken {
		all = append(all, b.Path+" cannot be read: "+b.Why())
	}
	return all
}

// Show is the checkpoint that name means, archived ones included, or a version of it.
func (p *Project) Show(ctx context.Context, name string) (*checkpoint.Checkpoint, error) {
	if id, rev := Version(name); rev != "" {
		c, _, err := p.ShowAt(ctx, id, rev)
		return c, err
	}
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	c, err := p.target(set, name)
	return c, p.orOnOther(ctx, name, err)
}

// Raw is the bytes of the file that name means, readable or not, and its path.
func (p *Project) Raw(ctx context.Context, name string) ([]byte, string, error) {
	var path string
	for _, scope := range []store.Scope{store.Live, store.All} {
		set, err := p.read(ctx, scope)
		if err != nil {
			return nil, "", err
		}
		if path, err = p.named(set, name); err == nil {
			break
		} else if scope == store.All || fault.KindOf(err) != fault.NotFound {
			return nil, "", p.orOnOther(ctx, name, err)
		}
	}
	src, err := p.Store.Read(path)
	return src, path, err
}

// FileOf is the file of the active checkpoint that name means, readable or not:
// an editor mends what ckpt cannot read. What waits to land does so first, or, where
// it cannot yet, has no file to edit.
func (p *Project) FileOf(ctx context.Context, name string) (string, error) {
	if err := p.landNow(ctx); err != nil {
		return "", err
	}
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	c, err := p.open(set, name)
	if err == nil {
		if _, laid := p.Store.Overlay[c.Path]; laid {
			return "", fault.New(fault.Unsupported, "a %s is in progress: the working tree does not hold %s as it is to be", p.Repo.InProgress(), p.fromRoot(c.Path)).
				WithHint("ckpt delta and ckpt note work; ckpt edit when it is over")
		}
		return p.Store.File(c.Path), nil
	}
	if broken, namedErr := p.named(set, name); namedErr == nil && !checkpoint.InArchive(broken) {
		return p.Store.File(broken), nil
	}
	return "", err
}
