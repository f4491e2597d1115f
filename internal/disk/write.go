// Package disk writes files safely. A file is replaced as a whole, so that no reader sees half
// of it, and a lock is freed by the kernel when its process ends.
//
// [ReplaceFile] and [RemoveFile] do not overwrite another program's work: a file whose content is not the
// expected one was edited meanwhile, and is left alone.
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

// tempPattern is the name of temporary files, which replace other files by a rename. A process that
// was killed leaves them behind; they may be removed. See [IsTemp].
const tempPattern = ".ckpt-*"

// IsTemp reports whether a file name (without folder) belongs to a temporary file of this package.
func IsTemp(name string) bool { return strings.HasPrefix(name, strings.TrimSuffix(tempPattern, "*")) }

// WriteFile replaces the content of the file at path. Readers see the old bytes or the new ones, never a part of
// them. Missing folders are made. An existing file keeps its mode, a new one gets 0666 without the bits of the umask,
// and a symbolic link is followed. With sync the bytes and the name are on the device when WriteFile returns.
func WriteFile(path string, data []byte, sync bool) error {
	s, err := Stage("", path, data)
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

// Remove removes the file at path. A missing file is not an error.
func Remove(path string) error {
	if err := patiently(func() error { return os.Remove(path) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return describe("remove", path, err)
	}
	return nil
}

// Rename renames a file, and replaces the file at the new path if there is one.
func Rename(from, to string) error { return patiently(func() error { return os.Rename(from, to) }) }

// SyncDir writes the names in a folder to the device, so that they survive a power cut. It ignores
// that a file system cannot sync a folder: such a file system does not need it.
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

// describe returns an error that names the step and the path once. The system's error has the
// path too, so only its cause is used.
func describe(step, path string, err error) error {
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	return fault.New(fault.Failed, "%s %q: %w", step, path, Pathless(err))
}
