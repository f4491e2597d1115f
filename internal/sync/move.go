package sync

import (
	"context"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/workspace"
)

// moveTo moves the branch to a commit, and updates the files and the index. It returns git.ErrMoved
// if the branch has moved since the round began.
func (s *syncing) moveTo(ctx context.Context, r *round, to string) error {
	unlock, err := s.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.Recover(ctx); err != nil {
		return err
	}
	if state := s.repo.InProgress(); state != "" {
		return fault.New(fault.Busy, "a %s has begun", state).WithHint("end it, then ckpt sync")
	}
	if head, err := s.repo.Head(); err != nil || head.Hash != r.head {
		if err == nil {
			err = git.ErrMoved
		}
		return err
	}
	l, err := s.mover.Plan(ctx, to, r.mine, r.merged.Files)
	if err != nil {
		return err
	}
	draft, err := commit.Of(s.repo).PrepareMove(ctx, r.on, r.head, to, l.Index, l.Agree, "with "+s.up.Name(), s.Now())
	if err != nil {
		return err
	}
	sync, err := s.repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	set := change.Set{Files: l.Files}
	w := disk.Operation{Root: s.repo.Root(), Files: set.Under(s.prefix), End: disk.ToMove(r.head, to), Sync: sync}
	hold := func() error { return s.repo.Index().Hold(ctx, r.on) }
	if draft.ByGit() {
		hold = func() error { return s.repo.Left(r.on) }
	}
	return workspace.WriteFiles(s.repo, w, draft, hold, func() error {
		_, err := draft.Land(ctx)
		return err
	})
}
