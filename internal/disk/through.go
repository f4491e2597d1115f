package disk

import (
	"os"
	"path/filepath"
	"strings"
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

// Within reports whether path is dir or something in it.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// FirstLink returns the first symbolic link on the way from top down to path, path
// itself included; "" for none.
func FirstLink(top, path string) string {
	rel, err := filepath.Rel(top, path)
	if err != nil {
		return ""
	}
	for at := top; rel != ""; {
		name, rest, _ := strings.Cut(rel, string(filepath.Separator))
		at, rel = filepath.Join(at, name), rest
		if isLink(at) {
			return at
		}
	}
	return ""
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// Unwrite takes away a file that WriteFile made, the end of a symbolic link where it
// wrote through one, and the folders above it that are empty then; top stays, and so
// does a symbolic link, with the folder that it leads to.
func Unwrite(path, top string) error {
	real, err := throughLinks(path)
	if err != nil {
		return err
	}
	if err := Remove(real); err != nil {
		return err
	}
	for dir := filepath.Dir(path); dir != top && len(dir) > len(top); dir = filepath.Dir(dir) {
		if isLink(dir) || os.Remove(dir) != nil { // not empty, or not ours to remove
			break
		}
	}
	return nil
}

// EmptyFolder returns the nearest folder that exists, from dir up to but without top, if
// it is empty; else "".
func EmptyFolder(dir, top string) string {
	for ; dir != top && len(dir) > len(top); dir = filepath.Dir(dir) {
		if entries, err := os.ReadDir(dir); err == nil {
			if len(entries) > 0 {
				return ""
			}
			return dir
		}
	}
	return ""
}
