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

// Mode determines who may have a lock at the same time.
type Mode int

// The modes: several processes can share a lock, or one process has it alone.
const (
	Shared Mode = iota
	Exclusive
)

// Lock is a lock that this process has. It ends with Unlock or with the process. The kernel frees
// it even if the process is killed, so a lock never becomes stale.
type Lock struct {
	flock *flock.Flock // nil if nothing needed to be locked
	mode  Mode
}

// HookOf is the environment variable that tells hooks the process id of the ckpt that runs them.
const HookOf = "CKPT_PROCESS"

// Acquire takes the lock at path. It makes the file and its folders if they are missing; they remain. After the time
// in wait it returns an error of kind fault.Busy that names the process with the lock. On a file system that cannot
// be written to, a shared lock succeeds without locking: no process can write there.
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
	if pid := os.Getenv(HookOf); pid != "" && pid == signed(path) {
		wait = 0 // this is a hook of the process with the lock, which waits for the hook
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
		if waited > wait/5 { // a process that has waited long tries more often than one that has just begun
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

// LockMark is the start of a lock's file, after the first byte. Only that byte is locked, because
// Windows forbids other processes to read or write locked bytes.
const LockMark = "held by ckpt, process "

// sign writes who has the lock into the lock's file, for the messages of processes that wait. If this
// fails, the messages do not name the process. The file keeps its length, so that no space is allocated.
func (l *Lock) sign(who string) {
	f, err := os.OpenFile(l.flock.Path(), os.O_WRONLY|noFollow, 0)
	if err != nil {
		return
	}
	_, _ = f.WriteAt(fmt.Appendf(nil, "%s%-10s\n", LockMark, who), 1)
	_ = f.Close()
}

// Unlock frees the lock. A second call does nothing.
func (l *Lock) Unlock() {
	if l.flock == nil {
		return
	}
	if l.mode == Exclusive {
		l.sign("-") // remove this process's number before others can take the lock
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

// signed returns what sign wrote, or "" if that cannot be read.
func signed(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line := make([]byte, len(LockMark)+16)
	n, _ := f.ReadAt(line, 1) // ignore io.EOF: the file is shorter than line
	who, ok := strings.CutPrefix(string(line[:n]), LockMark)
	if !ok {
		return ""
	}
	return strings.TrimSpace(who)
}

// lockFault returns the error for a lock that cannot be taken even if no other process has it.
func lockFault(path string, err error) error {
	if info, serr := os.Lstat(path); serr == nil && !info.Mode().IsRegular() {
		return fault.New(fault.Refused, "lock %q: it is not a regular file", path).
			WithHint("look at it, and remove it: rm %s", path)
	}
	return describe("lock", path, err)
}

// readOnly reports whether err means that this process must not write here.
func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}
