package disk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFile replaces the content of the file at path by after if it still is before; a nil before means that the
// file must not exist. Otherwise it leaves the file alone and returns [ErrChanged]. It writes as [WriteFile] does
// without sync. A write of another program between the comparison and the rename is lost, unless the system (Linux,
// macOS) and the file system can exchange two files.
func ReplaceFile(path string, before, after []byte) error {
	s, err := Stage("", path, after)
	if err != nil {
		return err
	}
	defer s.Drop()
	if err := s.file.Close(); err != nil {
		return describe("write", s.target, err)
	}
	if before == nil {
		err = renameNew(s.file.Name(), s.target)
	} else {
		err = s.exchange(before)
	}
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return s.compareAndCommit(before)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrChanged):
		return ErrChanged
	case err != nil:
		return describe("write", s.target, err)
	}
	s.placed = true
	return nil
}

// exchange exchanges the file and its target. If the old content equals before, exchange removes it. Otherwise it
// restores the old content, and returns [ErrChanged].
func (s *Staged) exchange(before []byte) error {
	name := s.file.Name()
	out, err := os.Lstat(name)
	if err == nil {
		err = exchange(name, s.target)
	}
	if err != nil {
		return err
	}
	if got, err := os.ReadFile(name); err == nil && bytes.Equal(got, before) {
		return os.Remove(name)
	}
	for { // the restored file may replace a newer one, which is then restored
		in, err := os.Lstat(name)
		if err == nil {
			err = exchange(name, s.target)
		}
		if err != nil {
			s.placed = true // the temporary file stays, for a person to find
			return err
		}
		if got, err := os.Lstat(name); err != nil || os.SameFile(got, out) {
			return ErrChanged
		}
		out = in
	}
}

// compareAndCommit does what ReplaceFile does, but compares and renames in two steps.
func (s *Staged) compareAndCommit(before []byte) error {
	now, err := Bytes(s.target)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		return describe("read", s.target, err)
	case missing != (before == nil), !bytes.Equal(now, before):
		return ErrChanged
	}
	return s.Commit()
}

// RemoveFile removes the file at path if its content is the one in before. Otherwise it leaves the file alone and
// returns [ErrChanged]. A missing file is not an error.
func RemoveFile(path string, before []byte) error {
	aside, err := createTemp(filepath.Dir(path))
	if err != nil {
		return describe("remove", path, err)
	}
	_ = aside.Close()
	name := aside.Name()
	err = Rename(path, name)
	if errors.Is(err, fs.ErrNotExist) {
		return Remove(name)
	}
	if err != nil {
		_ = os.Remove(name)
		return describe("remove", path, err)
	}
	if got, err := os.ReadFile(name); err == nil && bytes.Equal(got, before) {
		return Remove(name)
	}
	err = renameNew(name, path)
	if errors.Is(err, errors.ErrUnsupported) {
		err = Rename(name, path)
	}
	switch {
	case errors.Is(err, fs.ErrExist): // another program has written a newer file: keep that
		_ = os.Remove(name)
	case err != nil:
		return describe("write", path, err)
	}
	return ErrChanged
}
