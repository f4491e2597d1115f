package disk

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrChanged means that a file was changed by another program since it was read.
var ErrChanged = errors.New("changed while ckpt was at work")

// Sweep removes the temporary files that a killed process left in a folder.
func Sweep(dir string) error {
	var errs []error
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if IsTemp(e.Name()) && e.Type().IsRegular() {
			errs = append(errs, Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}
