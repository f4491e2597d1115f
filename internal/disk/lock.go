package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"example.com/ckpt/internal/fault"
)

// Mode says who may hold a lock at the same time.
type Mode int

// The modes: many may share, or one alone has it.
const (
	Shared Mode = iota
	Exclusive
)

// Lock is a held lock. It ends with Unlock or with the process, whatever way
// the process ends: the kernel frees it, so there are no stale ones.
type Lock struct {
	flock *flock.Flock // nil where nothing needed to be locked
	mode  Mode
}

// Acquire takes the lock at path, whose file and folders are made where they are
// missing and stay behind. After wait it gives up with fault.Busy
// naming the process that holds it. A shared lock on a file system
// that cannot be written to succeeds without a lock: nobody can write there.
func Acquire(ctx context.Context, path string, mode Mode, wait time.Duration) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		if mode == Shared && readOnly(err) {
			return &Lock{mode: mode}, nil
		}
		return nil, describe("make folder", filepath.Dir(path), err)
	}
	f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o666))
	try := f.TryLock
	if mode == Shared {
		try = f.TryRLock
	}
	start := time.Now()
	for pause := time.Millisecond; ; pause = min(pause*2, 20*time.Millisecond) {
		ok, err := try()
		if mode == Shared && readOnly(err) {
			return &Lock{mode: mode}, nil
		}
		if err != nil {
			return nil, lockFault(path, err)
		}
		if ok {
			break
		}
		waited := time.Since(start)
		if waited+pause > wait {
			return nil, busy(path)
		}
		if waited > wait/5 { // whoever has waited for long asks more often than those who come
			pause = time.Millisecond
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
	l := &Lock{flock: f, mode: mode}
	if mode == Exclusive {
		l.sign(strconv.Itoa(os.Getpid()))
	}
	return l, nil
}

// LockMark is how the content of a lock's file begins, after one byte: Windows forbids
// everybody else to read or write the first one, which is what is locked there.
const LockMark = "held by ckpt, process "

// sign writes who holds the lock, for those who wait: failing to write it costs a
// name. The file keeps its length, so that this takes no space on the device.
func (l *Lock) sign(who string) {
	f, err := os.OpenFile(l.flock.Path(), os.O_WRONLY|noFollow, 0)
	if err != nil {
		return
	}
	_, _ = f.WriteAt(fmt.Appendf(nil, "%s%-10s\n", LockMark, who), 1)
	_ = f.Close()
}

// Unlock gives the lock back. A second call does nothing.
func (l *Lock) Unlock() {
	if l.flock == nil {
		return
	}
	if l.mode == Exclusive {
		l.sign("-") // the name of a holder who is gone would mislead
	}
	_ = l.flock.Unlock() // closing the file frees the lock in any case
	l.flock = nil
}

func busy(path string) error {
	holder := "another ckpt"
	if pid := signed(path); pid != "" && pid != "-" {
		holder += " (process " + pid + ")"
	}
	return fault.New(fault.Busy, "%s is at work: it holds %q", holder, path).
		WithHint("try again")
}

// signed returns what sign wrote, "" where that cannot be read.
func signed(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line := make([]byte, len(LockMark)+16)
	n, _ := f.ReadAt(line, 1) // it is shorter
	who, ok := strings.CutPrefix(string(line[:n]), LockMark)
	if !ok {
		return ""
	}
	return strings.TrimSpace(who)
}

// lockFault names a lock that cannot be taken at all.
func lockFault(path string, err error) error {
	if info, serr := os.Lstat(path); serr == nil && !info.Mode().IsRegular() {
		return fault.New(fault.Refused, "lock %q: it is no plain file", path).
			WithHint("look at it, and remove it: rm %s", path)
	}
	return describe("lock", path, err)
}

// readOnly says whether err means that nobody could write here, or not we.
func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}
