package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange exchanges two files in one step. It returns [errors.ErrUnsupported] where the file system
// cannot.
func exchange(a, b string) error { return rename(a, b, unix.RENAME_SWAP) }

// renameNew renames a file unless the new path exists. It returns [errors.ErrUnsupported] where the
// file system cannot.
func renameNew(from, to string) error { return rename(from, to, unix.RENAME_EXCL) }

func rename(from, to string, flag uint32) error {
	err := unix.RenamexNp(from, to, flag)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOTSUP):
		return errors.ErrUnsupported
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
