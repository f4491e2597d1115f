package project

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

// movePlan is how the working tree and the index follow the branch to another commit.
// What is edited, or staged, is merged with what comes, and stays edited, or staged.
type movePlan struct {
	files []change.File        // of the working tree, by path in the folder
	index map[string]git.Entry // by path from the root; the zero entry is no file
	agree []change.File        // those whose file and entry agree, by path from the root
}

// moveTo moves the branch to a commit, and the files and the index with it. It returns
// git.ErrMoved if the branch is not where the round found it.
func (s *syncing) moveTo(ctx context.Context, r *round, to string) error {
	unlock, err := s.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.recover(ctx); err != nil {
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
	l, err := s.arrange(ctx, r.head, to, r.mine, r.merged.files)
	if err != nil {
		return err
	}
	draft, err := s.Repo.PrepareMove(ctx, r.on, r.head, to, l.index, l.agree, "with "+s.up.Name(), s.Now())
	if err != nil {
		return err
	}
	sync, err := s.Repo.Sync(ctx)
	if err != nil {
		return err
	}
	set := change.Set{Files: l.files}
	w := disk.Operation{Root: s.Repo.Root(), Files: set.Under(s.prefix), End: disk.ToMove(r.head, to), Sync: sync}
	hold := func() error { return s.Repo.HoldIndex(ctx, r.on) }
	if draft.ByGit() {
		hold = func() error { return s.Repo.Left(r.on) }
	}
	return s.writeFiles(w, draft, hold, func() error {
		_, err := draft.Land(ctx)
		return err
	})
}

// arrange finds what the move from one commit to another, whose folders are was and will,
// changes in the working tree and the index.
func (p *Project) arrange(ctx context.Context, from, to string, was, will folder) (*movePlan, error) {
	changed := p.differences(was, will)
	for path, e := range changed {
		old := was[strings.TrimPrefix(path, p.prefix+"/")]
		if !plain(e) || !plain(old) {
			return nil, fault.New(fault.Unsupported, "%s is not a plain file on one of the sides", path).WithHint("git pull, then ckpt sync")
		}
	}
	names := slices.Sorted(maps.Keys(changed))
	l := &movePlan{index: map[string]git.Entry{}}
	index, hidden, err := p.Repo.IndexAt(ctx, names)
	if err != nil {
		return nil, err
	}
	edited, err := p.arrangeFiles(ctx, l, to, names, hidden, was, will)
	if err != nil {
		return nil, err
	}
	staged, err := p.arrangeIndex(ctx, l, names, index, was, will)
	if err != nil {
		return nil, err
	}
	if !edited && !staged {
		for _, f := range l.files {
			f.Path = p.fromRoot(f.Path)
			l.agree = append(l.agree, f)
		}
		return l, nil
	}
	return l, p.findAgreeing(ctx, l)
}

// finishMove brings the index to where the branch was moved, after a death in between.
func (p *Project) finishMove(ctx context.Context, from, to string) error {
	was, err := p.Repo.FolderAt(ctx, from, p.prefix)
	if err != nil {
		return err
	}
	will, err := p.Repo.FolderAt(ctx, to, p.prefix)
	if err != nil {
		return err
	}
	l := &movePlan{index: map[string]git.Entry{}}
	names := slices.Sorted(maps.Keys(p.differences(was, will)))
	index, _, err := p.Repo.IndexAt(ctx, names)
	if err != nil {
		return err
	}
	if _, err := p.arrangeIndex(ctx, l, names, index, was, will); err != nil {
		return err
	}
	return p.Repo.SetIndex(ctx, l.index)
}
