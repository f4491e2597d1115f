package disk

import (
	"errors"
	"io/fs"
	"os"
)

// MaxFile is the size in bytes of the largest file that ReadFile and Bytes read. A larger file is not a
// text for people or agents.
const MaxFile = 64 << 20

// ErrTooLarge is the error of ReadFile and Bytes for a file of more than MaxFile bytes.
var ErrTooLarge = errors.New("larger than 64 MiB")

// Exists reports whether a file or folder exists at path.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ReadFile returns the content of the file at path. It returns nil if the file does not exist, and an empty slice,
// not nil, if it is empty. It returns an error for anything but a regular file, such as a pipe, which might never
// end, and for a file of more than MaxFile bytes.
func ReadFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil {
		switch {
		case !info.Mode().IsRegular():
			return nil, errors.New("not a regular file")
		case info.Size() > MaxFile:
			return nil, ErrTooLarge
		}
	}
	src, err := Bytes(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return src, nil
}

// Pathless returns an error of the file system without the absolute path in it.
func Pathless(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
