// Package disk is the ground under every file that ckpt writes: whole-file
// writes that are never seen half done, a lock that the kernel frees when its
// holder dies, and the journal that makes several files change together.
//
// It refuses to guess: a file that holds neither what it held before nor what
// it was to hold was edited by somebody, and is left alone.
package disk

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"example.com/ckpt/internal/core/fault"
)

// tempPattern names the files that a rename is to replace. One that is left
// over belongs to a process that died and may be removed; see [IsTemp].
const tempPattern = ".ckpt-*"

// IsTemp says whether name (without folder) is a temporary file of ours.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(tempPattern, "*"))
}

// WriteFile makes path hold data: readers see the old bytes or the new ones,
// never a part. Missing folders are made. An existing file keeps its mode, a new
// one gets 0644 less the umask, and a symbolic link is written through. With
// sync the bytes and the name have reached the device when it returns.
func WriteFile(path string, data []byte, sync bool) error {
	s, err := stage(path, data, sync)
	if err != nil {
		return err
	}
	if err := s.commit(); err != nil {
		return err
	}
	if sync {
		return SyncDir(filepath.Dir(s.target))
	}
	return nil
}

// Remove removes the file at path. One that is not there is as it should be.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return describe("remove", path, err)
	}
	return nil
}

// SyncDir makes the names in dir, as they are now, survive a power cut. A file
// system that cannot sync a folder does not need it: that is no error.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return describe("open", dir, err)
	}
	defer d.Close()
	err = d.Sync()
	if err == nil || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return describe("sync", dir, err)
}

// staged is a temporary file beside its target, complete but for the rename.
type staged struct{ temp, target string }

func stage(path string, data []byte, sync bool) (staged, error) {
	target, err := throughLinks(path)
	if err != nil {
		return staged{}, err
	}
	dir := filepath.Dir(target)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return staged{}, describe("make folder", dir, err)
	}
	f, err := createTemp(dir)
	if err != nil {
		return staged{}, describe("write", target, err)
	}
	s := staged{temp: f.Name(), target: target}
	_, err = f.Write(data)
	if err == nil {
		err = keepMode(f, target)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		s.drop()
		return staged{}, describe("write", target, err)
	}
	return s, nil
}

func (s staged) commit() error {
	if err := os.Rename(s.temp, s.target); err != nil {
		s.drop()
		return describe("write", s.target, err)
	}
	return nil
}

// drop forgets the temporary file. That it stays behind harms nobody.
func (s staged) drop() { _ = os.Remove(s.temp) }

// createTemp is os.CreateTemp with mode 0644 less the umask, as for any file a
// person makes, instead of 0600.
func createTemp(dir string) (*os.File, error) {
	for {
		name := filepath.Join(dir, strings.Replace(tempPattern, "*", strconv.FormatUint(rand.Uint64(), 36), 1))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
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
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
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

// describe names the step and its object once; the system's own words repeat
// the path, so only their cause is kept.
func describe(step, path string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	} else if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	return fault.New(fault.Failed, "%s %q: %w", step, path, err)
}
