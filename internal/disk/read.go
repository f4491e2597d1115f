package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// MaxFile is the most that ReadFile reads, in bytes: what is larger is no text that
// people and agents read.
const MaxFile = 64 << 20

// ErrTooLarge is what ReadFile says of a file that is larger than it reads.
var ErrTooLarge = fmt.Errorf("larger than %d MiB", MaxFile>>20)

// Exists says whether there is anything at path.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ReadFile is the content of path: nil where there is no such file, empty and not
// nil where it is empty. What is no file, such as a pipe that might never end, is
// an error, and so is more than MaxFile bytes.
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
	case src == nil:
		return []byte{}, nil
	}
	return src, nil
}

// Pathless is an error of the file system without the absolute path in it.
func Pathless(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
