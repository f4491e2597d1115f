package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Sharing is what the files of a git directory permit to users other than their owner, as git's
// core.sharedRepository defines it. The zero value leaves the permissions to the umask.
type Sharing struct {
	bits  fs.FileMode
	exact bool // the bits replace the permissions instead of being added to them
}

// ParseSharing parses a value of core.sharedRepository. It returns the zero value for an invalid
// one, which git itself reports.
func ParseSharing(value string) Sharing {
	switch strings.ToLower(value) {
	case "group", "true", "yes", "on", "1":
		return Sharing{bits: 0o660}
	case "all", "world", "everybody", "2":
		return Sharing{bits: 0o664}
	}
	if n, err := strconv.ParseUint(value, 8, 16); err == nil && n&0o600 == 0o600 {
		return Sharing{bits: fs.FileMode(n) & 0o666, exact: true}
	}
	return Sharing{}
}

// IsZero reports whether the umask alone decides.
func (s Sharing) IsZero() bool { return s.bits == 0 }

// Apply sets the permissions that git gives to a shared file or folder. It does not change a file
// of another user, whose own process has set them.
func (s Sharing) Apply(path string) error {
	if s.IsZero() {
		return nil
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return err
	}
	mode := s.of(info.Mode())
	if mode == info.Mode() {
		return nil
	}
	if err := os.Chmod(path, mode); err != nil && !errors.Is(err, fs.ErrPermission) {
		return describe("set the mode of", path, err)
	}
	return nil
}

// of computes permissions as git's calc_shared_perm and adjust_shared_perm do.
func (s Sharing) of(mode fs.FileMode) fs.FileMode {
	bits := s.bits
	if mode&0o200 == 0 {
		bits &^= 0o222
	}
	if mode&0o100 != 0 {
		bits |= bits & 0o444 >> 2
	}
	if s.exact {
		mode &^= 0o777
	}
	mode |= bits
	if mode.IsDir() && mode&0o060 != 0 && setsGroup() {
		mode |= fs.ModeSetgid
	}
	return mode
}

// setsGroup reports whether files get the group of their folder only if it has the setgid bit. On
// BSDs they always get it, and Windows has no such bit.
func setsGroup() bool {
	switch runtime.GOOS {
	case "darwin", "dragonfly", "freebsd", "netbsd", "openbsd", "windows":
		return false
	}
	return true
}

// MkdirAll makes a folder and its missing parents, with these permissions.
func (s Sharing) MkdirAll(dir string) error {
	if Exists(dir) {
		return nil
	}
	if err := s.MkdirAll(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.Apply(dir)
}

// ApplyBelow applies the permissions to dir and everything in it, except paths that begin with a private one.
func (s Sharing) ApplyBelow(dir string, private ...string) {
	if s.IsZero() {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && !slices.ContainsFunc(private, func(p string) bool { return strings.HasPrefix(path, p) }) {
			_ = s.Apply(path) // a temporary file may have been removed
		}
		return nil
	})
}

// Share applies the permissions to a file before it is renamed to its target.
func (s *Staged) Share(with Sharing) error { return with.Apply(s.file.Name()) }
