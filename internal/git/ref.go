package git

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/refs"
)

// Refs reads and moves single refs, wherever git keeps them.
type Refs struct{ repo *Repo }

// Refs returns the refs of the repository.
func (r *Repo) Refs() Refs { return Refs{repo: r} }

// Log returns the newest lines of a ref's reflog, the newest first.
func (s Refs) Log(ctx context.Context, ref string) ([]refs.Move, error) {
	if s.repo.Foreign() == "" {
		return s.repo.refs.Log(ref)
	}
	out, err := s.repo.Git(ctx, nil, "log", "--walk-reflogs", "--max-count=100", "--format=%H\t%gs", ref, "--")
	if err != nil {
		return nil, nil // there is none
	}
	var all []refs.Move
	for line := range strings.Lines(string(out)) {
		commit, message, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, refs.Move{Commit: commit, Message: message})
	}
	return all, nil
}

// Read returns the object that a ref names, by its full name; "" if there is no such ref.
func (s Refs) Read(ctx context.Context, name string) (string, error) {
	if s.repo.Foreign() == "" {
		return s.repo.refs.Read(name)
	}
	return s.RevParse(ctx, name)
}

// Move moves a ref of ours from one object to another ("" for none) if it still names the
// first; otherwise it returns fault.Busy, and nothing has changed. The caller has ckpt's lock,
// which makes dead locks of ours known.
func (s Refs) Move(ctx context.Context, name, to, from string) error {
	if s.repo.Foreign() != "" {
		return s.MoveByGit(ctx, name, to, from)
	}
	packed, err := s.repo.refs.Packed(name)
	if err != nil {
		return err
	}
	if to == "" && packed != "" { // only git rewrites packed-refs
		return s.MoveByGit(ctx, name, to, from)
	}
	locks := s.repo.refs.Locks.NewSet()
	defer locks.Release()
	file := s.repo.refs.File(name)
	if err := locks.Take(ctx, file, time.Now().Add(lockWait)); err != nil {
		return err
	}
	now, err := s.repo.refs.Read(name)
	if err == nil && now != from {
		err = fault.New(fault.Busy, "%s has moved", name).WithHint("try again")
	}
	if err != nil {
		return err
	}
	if to == "" {
		return disk.Remove(file)
	}
	sync, err := s.repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	staged, err := s.repo.refs.Stage(name, to)
	if err != nil {
		return err
	}
	defer staged.Drop()
	if sync {
		if err := staged.Sync(); err != nil {
			return err
		}
	}
	if err := staged.Commit(); err != nil || !sync {
		return err
	}
	return disk.SyncDir(filepath.Dir(file))
}

// MoveByGit is Move by git, for any ref and without ckpt's lock.
func (s Refs) MoveByGit(ctx context.Context, name, to, from string) error {
	args, err := s.repo.Durable(ctx)
	if err != nil {
		return err
	}
	args = append(args, "update-ref")
	if to == "" {
		args = append(args, "-d", name, from)
	} else {
		args = append(args, name, to, cmp.Or(from, strings.Repeat("0", len(to))))
	}
	return s.repo.Retry(func() error {
		_, err := s.repo.Hooks().gitForCommit(ctx, nil, args...)
		return err
	})
}

// RevParse returns the object that a ref names, or "".
func (s Refs) RevParse(ctx context.Context, name string) (string, error) {
	out, err := s.repo.Git(ctx, nil, "rev-parse", "-q", "--verify", "--end-of-options", name)
	if ExitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
