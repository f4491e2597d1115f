//go:build unix && !solaris && !aix

package disk

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"example.com/ckpt/internal/fault"
)

// Inheritable is the file at path, locked: a child that inherits it holds the lock on
// until it ends, even where this process is killed. Where somebody holds it: fault.Busy.
// Nil where the system has no such locks.
func Inheritable(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, describe("make folder", filepath.Dir(path), err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|noFollow, 0o666)
	if err != nil {
		return nil, describe("open", path, err)
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fault.New(fault.Busy, "somebody holds %q", path)
	}
	return nil, describe("lock", path, err)
}

// Release gives up the lock of an inheritable file, whoever has inherited it, and
// closes the file.
func Release(f *os.File) {
	if f != nil {
		_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // if not, it ends with those who hold it
		f.Close()
	}
}
