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
	"example.com/ckpt/internal/disk"
)

// Git's locks are files: whoever creates X.lock may change X. A process that
// dies leaves it behind, and nobody can tell a stale one from a busy one, unless it is
// ckpt's: a link to a file that says so, while the new content is written elsewhere and
// renamed. Whoever holds ckpt's own lock, which the kernel frees, and finds such a link
// knows that its owner is dead. Any other lock belongs to another program: it is waited
// for and named, never removed.

// lockFiles are git's locks that this process holds.
type lockFiles struct {
	repo *Repo
	held []string
}

func (r *Repo) lockFile() string { return filepath.Join(r.commonDir, "ckpt", "lock") }

// markFile returns the file that git's locks are links to while ckpt holds them. No
// process keeps it open: Windows does not remove a link to a file that is open, so this
// cannot be lockFile.
func (r *Repo) markFile() string { return filepath.Join(r.commonDir, "ckpt", "mark") }

// HoldIndex takes index.lock, without which git changes neither files nor what HEAD is
// on, and returns ErrLeft if HEAD has left the checkout by now. Until Release is called
// Land and Stage work under this lock. Where git itself makes the commit, or writes the
// index, it needs the lock: nothing is held then. The caller holds ckpt's own lock.
func (r *Repo) HoldIndex(ctx context.Context, on Checkout) error {
	if r.foreign() != "" {
		return r.Left(on)
	}
	locks := &lockFiles{repo: r}
	if err := locks.take(ctx, r.indexFile(), time.Now().Add(lockWait)); err != nil {
		return err
	}
	r.index = locks
	if err := r.Left(on); err != nil {
		r.Release()
		return err
	}
	return nil
}

// Release gives back the lock that HoldIndex has taken, if any.
func (r *Repo) Release() {
	if r.index != nil {
		r.index.close()
		r.index = nil
	}
}

// take creates path + ".lock", waiting up to the deadline for others. The lock that
// HoldIndex has taken is there already, and stays.
func (l *lockFiles) take(ctx context.Context, path string, deadline time.Time) error {
	lock := path + ".lock"
	if index := l.repo.index; index != nil && slices.Contains(index.held, lock) {
		return nil
	}
	for pause := time.Millisecond; ; pause = min(2*pause, 10*time.Millisecond) { // git may take it again at once
		err := l.link(lock)
		if err == nil {
			l.held = append(l.held, lock)
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			if err := l.repo.sharing(ctx).MkdirAll(filepath.Dir(lock)); err != nil {
				return fault.New(fault.Failed, "lock %q: %w", path, err)
			}
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return fault.New(fault.Failed, "lock %q: %w", path, err)
		}
		if l.repo.ours(lock) { // and its owner is dead: see above
			if err := disk.Remove(lock); err != nil {
				return fault.New(fault.Failed, "a ckpt that died left a lock: %w", err)
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

// link makes the lock. A file system without hard links gets a plain file, which says
// whose it is a moment later.
func (l *lockFiles) link(lock string) error {
	mark := l.repo.markFile()
	err := os.Link(mark, lock)
	if errors.Is(err, fs.ErrNotExist) && !disk.Exists(mark) {
		if err = os.WriteFile(mark, []byte(disk.LockMark+"-\n"), 0o666); err == nil {
			err = os.Link(mark, lock)
		}
	}
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// Without hard links, across file systems, or without one of the folders:
	f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s%d\n", disk.LockMark, os.Getpid())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(lock)
	}
	return err
}

// close gives the locks back, the last one first. The next ckpt removes one that stays
// behind, but git would stumble over it, so a device that fails is asked again.
func (l *lockFiles) close() {
	for _, lock := range slices.Backward(l.held) {
		for range 3 {
			if disk.Remove(lock) == nil {
				break
			}
		}
	}
}

// ours reports whether a lock is ckpt's: a link to its mark, or with its content, as in a
// copy of the repository.
func (r *Repo) ours(lock string) bool {
	info, err := os.Lstat(lock)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	for _, file := range []string{r.markFile(), r.lockFile()} { // the latter by an older ckpt
		if own, err := os.Lstat(file); err == nil && os.SameFile(info, own) {
			return true
		}
	}
	data, err := disk.Bytes(lock)
	return err == nil && bytes.HasPrefix(data, []byte(disk.LockMark))
}
