// Package refs reads and moves git's refs where they are files, with their reflogs and git's
// lock files.
//
// go-git moves refs without git's locks, so that a git that runs at the same time could lose a
// commit; `git update-ref` takes a process for each move and cannot move the branch and replace the
// index as one step. The package follows git's protocol: lock, compare, write the new value to a
// temporary file, rename. Refs in a reftable are left to git.
package refs

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Store is the refs that a working tree sees.
type Store struct {
	gitDir    string // the folder with HEAD and the other refs of this working tree
	commonDir string // the folder with all other refs

	Locks *Locks
}

// Open returns the refs of a working tree. Sharing returns the permissions that new files grant to
// other users.
func Open(gitDir, commonDir string, sharing func() disk.Sharing) *Store {
	locks := &Locks{dir: filepath.Join(commonDir, "ckpt"), sharing: sharing}
	return &Store{gitDir: gitDir, commonDir: commonDir, Locks: locks}
}

// Head resolves HEAD. Chain begins with "HEAD", followed by the refs that it resolves through: none for a
// detached HEAD, one for an ordinary branch, more if a branch is a symbolic ref. The commit is "" if the last
// ref does not exist.
func (s *Store) Head() (chain []string, commit string, err error) {
	last := "HEAD"
	for range 6 { // git gives up after five symbolic refs
		chain = append(chain, last)
		value, err := s.Read(last)
		if err != nil {
			return nil, "", err
		}
		to, symbolic := strings.CutPrefix(value, "ref:")
		if !symbolic {
			return chain, value, nil
		}
		to = strings.TrimSpace(to)
		if !strings.HasPrefix(to, "refs/") || strings.Contains(to, "..") {
			return nil, "", fault.New(fault.Failed, "%s points to %q, which is not a ref", last, to)
		}
		last = to
	}
	return nil, "", fault.New(fault.Failed, "HEAD goes through too many symbolic refs")
}

// Read returns the value of a ref: a hash, "ref: NAME", or "" if the ref does not exist.
func (s *Store) Read(name string) (string, error) {
	path := s.File(name)
	if to, err := os.Readlink(path); err == nil && strings.HasPrefix(to, "refs/") {
		return "ref: " + to, nil // a symbolic link, which core.preferSymlinkRefs makes
	}
	data, err := disk.Bytes(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || disk.IsFolder(path) {
			return s.Packed(name)
		}
		return "", fault.New(fault.Failed, "read ref %s: %w", name, err)
	}
	value := strings.TrimSpace(string(data))
	if !strings.HasPrefix(value, "ref:") && !IsHash(value) {
		return "", fault.New(fault.Failed, "ref %s is broken: %q", name, value).WithHint("git fsck")
	}
	return value, nil
}

// Packed returns the value of a ref in packed-refs, or "".
func (s *Store) Packed(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(s.commonDir, "packed-refs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fault.New(fault.Failed, "read refs: %w", err)
	}
	line := []byte(" " + name + "\n")
	for i := bytes.Index(data, line); i >= 0; {
		start := bytes.LastIndexByte(data[:i], '\n') + 1
		if value := string(data[start:i]); IsHash(value) {
			return value, nil
		}
		next := bytes.Index(data[i+1:], line)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return "", nil
}

// File returns the path of the loose file of a ref.
func (s *Store) File(name string) string {
	return filepath.Join(s.base(name), filepath.FromSlash(name))
}

// base returns the git folder that contains a ref: each working tree has its own HEAD, while all share the branches.
func (s *Store) base(name string) string {
	for _, own := range [...]string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return s.gitDir
		}
	}
	if strings.HasPrefix(name, "refs/") {
		return s.commonDir
	}
	return s.gitDir
}

// Stage writes the new value of a ref to a temporary file outside of the folders of refs. If a killed process left such
// a file inside them, git would treat the file as a broken ref. The caller has the ref's lock.
func (s *Store) Stage(name, value string) (*disk.Staged, error) {
	staged, err := disk.Stage(s.Locks.dir, s.File(name), []byte(value+"\n"))
	if err == nil {
		err = staged.Share(s.Locks.sharing())
	}
	return staged, err
}

// RemoveEmpty removes a folder at the path of a ref if it contains nothing but empty folders. Git leaves the folder "a"
// behind when it deletes the ref "a/b", and then the ref "a" could not be created.
func (s *Store) RemoveEmpty(name string) {
	file := s.File(name)
	if info, err := os.Lstat(file); err == nil && info.IsDir() {
		removeEmpty(file)
	}
}

func removeEmpty(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			removeEmpty(filepath.Join(dir, e.Name()))
		}
	}
	_ = os.Remove(dir) // if the folder has a file, the rename of the ref fails with a good message
}

// IsHash reports whether s has the form of an object's hash in hex, SHA-1 or SHA-256.
func IsHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
