package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/ckpt/internal/core/fault"
)

// Git's locks are files: whoever creates X.lock may change X. A process that
// dies leaves it behind, and nobody can tell a stale one from a busy one. Ours
// can: the lock file holds a mark, it is linked into place with the mark already
// in it, and the new content is written elsewhere and renamed. Whoever holds
// ckpt's own lock, which the kernel frees, and finds the mark knows that its
// owner is dead. A lock without the mark belongs to another program: it is
// waited for and named, never removed.

const lockMark = "held by ckpt, process "

// lockFiles are git's locks that this process holds.
type lockFiles struct {
	token string // a file with the mark, which the locks are links to
	held  []string
}

func (r *Repo) newLockFiles() (*lockFiles, error) {
	dir := filepath.Join(r.gitDir, "ckpt")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fault.New(fault.Failed, "lock the repository: %w", err)
	}
	f, err := os.CreateTemp(dir, ".ckpt-lock-*")
	if err != nil {
		return nil, fault.New(fault.Failed, "lock the repository: %w", err)
	}
	_, err = fmt.Fprintf(f, "%s%d\n", lockMark, os.Getpid())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return nil, fault.New(fault.Failed, "lock the repository: %w", err)
	}
	return &lockFiles{token: f.Name()}, nil
}

// take creates path + ".lock", waiting up to the deadline for others.
func (l *lockFiles) take(ctx context.Context, path string, deadline time.Time) error {
	lock := path + ".lock"
	for pause := time.Millisecond; ; pause = min(2*pause, 10*time.Millisecond) { // git may take it again at once
		err := l.link(lock)
		if err == nil {
			l.held = append(l.held, lock)
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			if err := os.MkdirAll(filepath.Dir(lock), 0o777); err != nil {
				return fault.New(fault.Failed, "lock %q: %w", path, err)
			}
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return fault.New(fault.Failed, "lock %q: %w", path, err)
		}
		if ours(lock) { // and its owner is dead: see above
			if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fault.New(fault.Failed, "remove the dead lock %q: %w", lock, err)
			}
			continue
		}
		if time.Now().After(deadline) {
			return fault.New(fault.Busy, "another git program holds %q", lock).
				WithHint("try again; if no git is running, remove %s", lock)
		}
		jittered := pause/2 + rand.N(pause)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(jittered):
		}
	}
}

// link makes the lock with the mark in it at once. A file system without hard
// links gets a plain file, whose mark is there a moment later.
func (l *lockFiles) link(lock string) error {
	err := os.Link(l.token, lock)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// Without hard links, across file systems, or without the folder:
	f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s%d\n", lockMark, os.Getpid())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(lock)
	}
	return err
}

// close gives the locks back, the last one first. What stays behind, the next
// ckpt knows for ours; git does not, so a device that fails is asked again.
func (l *lockFiles) close() {
	for _, lock := range slices.Backward(l.held) {
		for range 3 {
			if err := os.Remove(lock); err == nil || errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
	}
	_ = os.Remove(l.token)
}

// ours says whether a lock file bears the mark.
func ours(lock string) bool {
	data, err := os.ReadFile(lock)
	return err == nil && bytes.HasPrefix(data, []byte(lockMark))
}
