package disk

import (
	"cmp"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Staged is a complete temporary file that can replace its target with a rename. The methods of
// a nil Staged do nothing.
type Staged struct {
	file   *os.File // open until the rename, unless it was closed earlier
	target string
	placed bool
}

// Stage writes a temporary file that can replace path and has the mode of the existing file. The file is in dir, a
// folder of the same file system, or, if dir is empty, in the folder of path. A missing folder is made. If path is a
// symbolic link, the file replaces the target of the link.
func Stage(dir, path string, data []byte) (*Staged, error) {
	target, err := throughLinks(path)
	if err != nil {
		return nil, err
	}
	f, err := createTemp(cmp.Or(dir, filepath.Dir(target)))
	if err != nil {
		return nil, describe("write", target, err)
	}
	s := &Staged{file: f, target: target}
	_, err = f.Write(data)
	if err == nil {
		err = keepMode(f, target)
	}
	if err != nil {
		s.Drop()
		return nil, describe("write", target, err)
	}
	return s, nil
}

// Sync writes the content to the device.
func (s *Staged) Sync() error {
	if s == nil {
		return nil
	}
	if err := s.file.Sync(); err != nil {
		return describe("sync", s.target, err)
	}
	return nil
}

// Commit renames the file to its target. After an error it may be called again.
func (s *Staged) Commit() error {
	if s == nil {
		return nil
	}
	if err := s.file.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
		return describe("write", s.target, err)
	}
	if err := Rename(s.file.Name(), s.target); err != nil {
		return describe("write", s.target, err)
	}
	s.placed = true
	return nil
}

// Drop removes the file unless it was renamed. It ignores errors, since a temporary file does no harm; see [IsTemp].
func (s *Staged) Drop() {
	if s != nil && !s.placed {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// createTemp creates a temporary file as os.CreateTemp does, but with mode 0666 minus the umask
// instead of 0600, as for a file that a person creates.
func createTemp(dir string) (*os.File, error) {
	for {
		name := filepath.Join(dir, strings.Replace(tempPattern, "*", strconv.FormatUint(rand.Uint64(), 36), 1))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			err = os.MkdirAll(dir, 0o777)
			if err != nil {
				return nil, err
			}
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func keepMode(f *os.File, target string) error {
	info, err := os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // the rename will return the error
		return nil
	}
	if now, err := f.Stat(); err == nil && now.Mode() == info.Mode() {
		return nil
	}
	return f.Chmod(info.Mode())
}

// throughLinks returns the path to which the symbolic links that begin at path lead. The file itself need not exist.
func throughLinks(path string) (string, error) {
	for range 40 { // the kernel's own limit
		to, err := os.Readlink(path)
		if err != nil { // path is not a link, or is missing
			return path, nil
		}
		path = From(filepath.Dir(path), to)
	}
	return "", fault.New(fault.Failed, "write %q: too many symbolic links", path)
}
