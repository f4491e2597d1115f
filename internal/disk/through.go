package disk

import (
	"os"
	"path/filepath"
	"strings"
)

// Real returns path with all symbolic links resolved. The file itself need not exist. Two paths that
// differ only in symbolic links have the same Real.
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

// From returns a clean path: path itself or, if it is relative, path joined to dir.
func From(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Within reports whether path is dir or is below it.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// FirstLink returns the first symbolic link on the way from top down to path, which may be path
// itself. It returns "" if not found.
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

// Unwrite removes a file that WriteFile created, and then its parent folders as far as they are empty. If path is a
// symbolic link, it removes the target. It does not remove top, symbolic links, or the folders to which these lead.
func Unwrite(path, top string) error {
	real, err := throughLinks(path)
	if err != nil {
		return err
	}
	if err := Remove(real); err != nil {
		return err
	}
	for dir := filepath.Dir(path); dir != top && len(dir) > len(top); dir = filepath.Dir(dir) {
		if isLink(dir) || os.Remove(dir) != nil { // WriteFile does not create links; Remove keeps a folder with files
			break
		}
	}
	return nil
}
