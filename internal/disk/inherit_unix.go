//go:build unix && !solaris && !aix

package disk

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"example.com/ckpt/internal/fault"
)

// Inheritable opens and locks the file at path. A child process that inherits the file has the
// lock until it ends, even if this process is killed. The error is of kind fault.Busy if
// another process has the lock. The file is nil if the system has no such locks.
func Inheritable(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, describe("make folder", filepath.Dir(path), err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|noFollow, 0o666)
	if err != nil {
		return nil, describe("open", path, err)
	}
	_, err = retry(func() (int, error) { return 0, unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fault.New(fault.Busy, "%q is locked by another process", path)
	}
	return nil, describe("lock", path, err)
}

// Release unlocks and closes an inheritable file, also for the processes that have inherited it.
func Release(f *os.File) {
	if f != nil {
		_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // if this fails, the lock ends with the processes that inherited it
		f.Close()
	}
}
