package disk

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Staged is a complete file beside the one that it is to replace: only a rename
// is missing. A nil one is no file, and its methods do nothing.
type Staged struct {
	file   *os.File // open until the rename, unless somebody closed it before
	target string
	placed bool
}

// Stage writes a file that is to become path: in the same folder, which is made
// where it is missing, with the mode of the file that is there now, and behind
// the symbolic links that path goes through.
func Stage(path string, write func(*os.File) error) (*Staged, error) {
	return StageIn("", path, write)
}

// StageIn is Stage where the file is to be complete in another folder of the same
// file system; where that is none, it is beside the other after all.
func StageIn(dir, path string, write func(*os.File) error) (*Staged, error) {
	target, err := throughLinks(path)
	if err != nil {
		return nil, err
	}
	if dir == "" || !sameDevice(dir, filepath.Dir(target)) {
		dir = filepath.Dir(target)
	}
	f, err := createTemp(dir)
	if err != nil {
		return nil, describe("write", target, err)
	}
	s := &Staged{file: f, target: target}
	err = write(f)
	if err == nil {
		err = keepMode(f, target)
	}
	if err != nil {
		s.Drop()
		return nil, describe("write", target, err)
	}
	return s, nil
}

// writing is for Stage, where the content is at hand.
func writing(data []byte) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.Write(data)
		return err
	}
}

// Sync brings the content to the device.
func (s *Staged) Sync() error {
	if s == nil {
		return nil
	}
	if err := s.file.Sync(); err != nil {
		return describe("sync", s.target, err)
	}
	return nil
}

// Commit renames the file to its place. After a failure it may be tried again.
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

// Drop removes the file if it did not get to its place. If that fails it is
// litter, no damage; see [IsTemp].
func (s *Staged) Drop() {
	if s != nil && !s.placed {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// createTemp is os.CreateTemp with mode 0666 less the umask, as for any file a
// person makes, instead of 0600.
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
	if !info.Mode().IsRegular() { // the rename will say so
		return nil
	}
	if now, err := f.Stat(); err == nil && now.Mode() == info.Mode() {
		return nil
	}
	return f.Chmod(info.Mode())
}

// throughLinks is what path points at after all symbolic links of its last
// element; the end of the chain need not exist.
func throughLinks(path string) (string, error) {
	for range 40 { // as the kernel's own limit
		to, err := os.Readlink(path)
		if err != nil { // not a link, or not there
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fault.New(fault.Failed, "write %q: too many symbolic links", path)
}
