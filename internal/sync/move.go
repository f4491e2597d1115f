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
	unlock, err := s.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.Recover(ctx); err != nil {
		return err
	}
	if state := s.Repo.InProgress(); state != "" {
		return fault.New(fault.Busy, "a %s has begun", state).WithHint("end it, then ckpt sync")
	}
	if head, err := s.Repo.Head(); err != nil || head.Hash != r.head {
		if err == nil {
			err = git.ErrMoved
		}
		return err
	}
	l, err := s.mover.Plan(ctx, to, r.mine, r.merged.Files)
	if err != nil {
		return err
	}
	draft, err := commit.Of(s.Repo).PrepareMove(ctx, r.on, r.head, to, l.Index, l.Agree, "with "+s.up.Name(), s.Now())
	if err != nil {
		return err
	}
	sync, err := s.Repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	set := change.Set{Files: l.Files}
	w := disk.Operation{Root: s.Repo.Root(), Files: set.Under(s.Prefix), End: disk.ToMove(r.head, to), Sync: sync}
	hold := func() error { return s.Repo.Index().Hold(ctx, r.on) }
	if draft.ByGit() {
		hold = func() error { return s.Repo.Left(r.on) }
	}
	return workspace.WriteFiles(s.Repo, w, draft, hold, func() error {
		_, err := draft.Land(ctx)
		return err
	})
}
