package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Locks takes git's locks. Such a lock is a file: the process that creates X.lock may change X. A killed process leaves
// its lock behind, and a stale lock looks like one in use. The locks of ckpt can be recognized, because they are links
// to ckpt's own lock. If a process has ckpt's own lock and finds such a link, the process that made the link is dead,
// because the kernel has freed its lock. Any other lock belongs to another program: ckpt waits for it and names it in
// the error, but never removes it.
type Locks struct {
	dir     string // ckpt's folder in the common git folder
	sharing func() disk.Sharing

	// Left is true if a lock could not be removed. Git fails on it, and the next command of ckpt removes it.
	Left bool
}

// File returns the path of ckpt's own lock.
func (l *Locks) File() string { return filepath.Join(l.dir, "lock") }

// LockSet is a set of git's locks that this process has.
type LockSet struct {
	locks *Locks
	held  []string
}

// NewSet returns a set without locks.
func (l *Locks) NewSet() *LockSet { return &LockSet{locks: l} }

// Take creates path + ".lock", waiting up to the deadline for other programs. The caller has
// ckpt's lock of the repository.
func (s *LockSet) Take(ctx context.Context, path string, deadline time.Time) error {
	lock := path + ".lock"
	for pause := time.Millisecond; ; pause = min(2*pause, 10*time.Millisecond) { // short: git may take the lock again
		err := s.locks.link(lock)
		if err == nil {
			s.held = append(s.held, lock)
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			if err := s.locks.sharing().MkdirAll(filepath.Dir(lock)); err != nil {
				return fault.New(fault.Failed, "lock %q: %w", path, err)
			}
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return fault.New(fault.Failed, "lock %q: %w", path, err)
		}
		if s.locks.Ours(lock) { // made by a ckpt that has died
			if err := disk.Remove(lock); err != nil {
				return fault.New(fault.Failed, "a ckpt that died left a lock: %w", err)
			}
			continue
		}
		if time.Now().After(deadline) {
			return fault.New(fault.Busy, "another git program holds %q", lock).
				WithHint("try again; if no git is running, remove %s", lock)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// link creates a lock as a hard link. On a file system without hard links it creates a plain file and writes the owner
// into it. It does the same on Windows, which does not remove a link to an open file.
func (l *Locks) link(lock string) error {
	if runtime.GOOS != "windows" {
		err := os.Link(l.File(), lock)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s%d\n", disk.LockMark, os.Getpid())
	err = errors.Join(err, f.Close())
	if err != nil {
		_ = os.Remove(lock)
	}
	return err
}

// Release removes the locks, the last one first. It tries again if the device fails.
func (s *LockSet) Release() {
	for _, lock := range slices.Backward(s.held) {
		err := disk.Remove(lock)
		for try := 1; err != nil && try < 3; try++ {
			err = disk.Remove(lock)
		}
		s.locks.Left = s.locks.Left || err != nil
	}
	s.held = nil
}

// Ours reports whether a lock is ckpt's: a link to its own lock, or a file that names a ckpt as its owner.
func (l *Locks) Ours(lock string) bool {
	info, err := os.Lstat(lock)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if own, err := os.Lstat(l.File()); err == nil && os.SameFile(info, own) {
		return true
	}
	data, err := disk.Bytes(lock)
	return err == nil && bytes.HasPrefix(data, []byte(disk.LockMark))
}
