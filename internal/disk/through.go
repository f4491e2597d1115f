package disk

import (
	"os"
	"path/filepath"
)

// Real is the file that path leads to once all symbolic links are followed, whether
// it exists or not: two paths to one file have one Real.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if to, err := throughLinks(path); err == nil && to != path {
		return Real(to)
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(Real(dir), filepath.Base(path))
}

// Unwrite takes away a file that WriteFile made, the end of a symbolic link where it
// wrote through one, and the folders above it that are empty then; top stays.
func Unwrite(path, top string) error {
	real, err := throughLinks(path)
	if err != nil {
		return err
	}
	if err := Remove(real); err != nil {
		return err
	}
	for dir := filepath.Dir(path); dir != top && len(dir) > len(top); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil { // not empty, or not ours to remove
			break
		}
	}
	return nil
}
