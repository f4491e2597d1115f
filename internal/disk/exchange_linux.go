package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange exchanges two files in one step. It returns [errors.ErrUnsupported] where the file system
// cannot.
func exchange(a, b string) error { return renameat(a, b, unix.RENAME_EXCHANGE) }

// renameNew renames a file unless the new path exists. It returns [errors.ErrUnsupported] where the
// file system cannot.
func renameNew(from, to string) error { return renameat(from, to, unix.RENAME_NOREPLACE) }

func renameat(from, to string, flags uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return errors.ErrUnsupported
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
