package disk

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrChanged means that a file was changed by another program since it was read.
var ErrChanged = errors.New("changed while ckpt was at work")

// Sweep removes the temporary files that a killed process left in a folder.
func Sweep(dir string) (err error) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if IsTemp(e.Name()) && e.Type().IsRegular() {
			err = errors.Join(err, Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
