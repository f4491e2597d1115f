package disk

import (
	"errors"
	"io/fs"
	"os"
)

// ReadFile is the content of path: nil where there is no such file, empty and not
// nil where it is empty.
func ReadFile(path string) ([]byte, error) {
	src, err := os.ReadFile(path)
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
