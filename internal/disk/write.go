// Package disk is the ground under every file that ckpt writes: whole-file
// writes that are never seen half done, a lock that the kernel frees when its
// holder dies, and the journal that makes several files change together.
//
// It refuses to guess: a file that holds neither what it held before nor what
// it was to hold was edited by somebody, and is left alone.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"example.com/ckpt/internal/fault"
)

// tempPattern names the files that a rename is to replace. One that is left
// over belongs to a process that died and may be removed; see [IsTemp].
const tempPattern = ".ckpt-*"

// IsTemp says whether name (without folder) is a temporary file of ours.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(tempPattern, "*"))
}

// WriteFile makes path hold data: readers see the old bytes or the new ones,
// never a part. Missing folders are made. An existing file keeps its mode, a new
// one gets 0666 less the umask, and a symbolic link is written through. With
// sync the bytes and the name have reached the device when it returns.
func WriteFile(path string, data []byte, sync bool) error {
	s, err := Stage(path, writing(data))
	if err != nil {
		return err
	}
	defer s.Drop()
	if sync {
		if err := s.Sync(); err != nil {
			return err
		}
	}
	if err := s.Commit(); err != nil {
		return err
	}
	if sync {
		return SyncDir(filepath.Dir(s.target))
	}
	return nil
}

// Remove removes the file at path. One that is not there is as it should be.
func Remove(path string) error {
	if err := patiently(func() error { return os.Remove(path) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return describe("remove", path, err)
	}
	return nil
}

// Rename renames a file, in place of the one that may be at to.
func Rename(from, to string) error {
	return patiently(func() error { return os.Rename(from, to) })
}

// SyncDir makes the names in dir, as they are now, survive a power cut. A file
// system that cannot sync a folder does not need it: that is no error.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return describe("open", dir, err)
	}
	defer d.Close()
	err = d.Sync()
	unsupported := errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported)
	if err == nil || unsupported || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return describe("sync", dir, err)
}

// describe names the step and its object once; the system's own words repeat
// the path, so only their cause is kept.
func describe(step, path string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	} else if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	return fault.New(fault.Failed, "%s %q: %w", step, path, err)
}
