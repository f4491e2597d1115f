package disk

import (
	"os"
	"path/filepath"
	"strings"
)

// Real returns the path to which path leads when all symbolic links are followed, whether or
// not a file exists there. Two paths to one file have the same Real.
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

// Within reports whether path is dir or is below it.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// FirstLink returns the first symbolic link among the folders from top down to path, and path
// itself. It returns "" if there is none.
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

// Unwrite removes a file that WriteFile created, at the end of a symbolic link if path is one,
// and then the parent folders that are empty. It does not remove top, symbolic links, or the
// folders to which these lead.
func Unwrite(path, top string) error {
	real, err := throughLinks(path)
	if err != nil {
		return err
	}
	if err := Remove(real); err != nil {
		return err
	}
	for dir := filepath.Dir(path); dir != top && len(dir) > len(top); dir = filepath.Dir(dir) {
		if isLink(dir) || os.Remove(dir) != nil { // not empty, or not created by WriteFile
			break
		}
	}
	return nil
}

// EmptyFolder returns the nearest existing folder, from dir up to but without top, if it is
// empty. Otherwise it returns "".
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
