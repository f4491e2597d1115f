package snapshot

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// removeFile removes a file, and then its parent folders as far as they are empty. If path is a
// folder, the file is gone already.
func (s Snapshots) removeFile(path string) error {
	file := filepath.Join(s.repo.Root(), filepath.FromSlash(path))
	if info, err := os.Lstat(file); err == nil && info.IsDir() {
		return nil
	}
	if err := disk.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := filepath.Dir(file); dir != s.repo.Root() && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
	return nil
}

// makeRoom removes a folder at the path of a file, if it contains only folders.
func (s Snapshots) makeRoom(path string) error {
	file := filepath.Join(s.repo.Root(), filepath.FromSlash(path))
	if info, err := os.Lstat(file); err != nil || !info.IsDir() {
		return nil
	}
	var dirs []string
	err := filepath.WalkDir(file, func(at string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, at)
		}
		return err
	})
	for _, dir := range slices.Backward(dirs) {
		if err == nil {
			err = os.Remove(dir)
		}
	}
	if err != nil {
		return fault.New(fault.Failed, "write %q: %w", path, err)
	}
	return nil
}

// writeFiles writes files as a snapshot has them: the exact bytes if it has those, otherwise what
// git checks out for the stored file. The files with attributes, which affect this, are among them
// and are written first.
func (s Snapshots) writeFiles(ctx context.Context, paths []string, want contents) error {
	rules := func(path string) bool { return path == ".gitattributes" || strings.HasSuffix(path, "/.gitattributes") }
	if first, rest := parted(paths, rules); len(first) > 0 && len(rest) > 0 {
		if err := s.writeFiles(ctx, first, want); err != nil {
			return err
		}
		paths = rest
	}
	for _, path := range paths {
		if err := s.makeRoom(path); err != nil {
			return err
		}
	}
	exact, plain := parted(paths, func(path string) bool { return want.bytes[path].Hash != "" })
	if err := s.checkOut(ctx, plain, want.work); err != nil {
		return err
	}
	return s.writeBytes(ctx, exact, want.bytes)
}

// parted returns the paths that match, and those that do not.
func parted(paths []string, is func(string) bool) (yes, no []string) {
	for _, path := range paths {
		if is(path) {
			yes = append(yes, path)
		} else {
			no = append(no, path)
		}
	}
	return yes, no
}

// checkOut writes files as git checks them out.
func (s Snapshots) checkOut(ctx context.Context, paths []string, work map[string]git.Entry) error {
	if len(paths) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return fault.New(fault.Failed, "restore files: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	entries := map[string]git.Entry{}
	for _, path := range paths {
		entries[path] = work[path]
	}
	if _, err := s.repo.Aside(ctx, index, s.repo.Index().Info(entries), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	_, err = s.repo.Aside(ctx, index, []byte(strings.Join(paths, "\x00")+"\x00"), "checkout-index", "-f", "-q", "-z",
		"--stdin")
	return err
}

// writeBytes writes blobs unchanged, without git's filters.
func (s Snapshots) writeBytes(ctx context.Context, paths []string, blobs map[string]git.Entry) error {
	var names []string
	for _, path := range paths {
		names = append(names, blobs[path].Hash)
	}
	var failed error
	next := 0
	err := s.repo.Objects().Blobs(ctx, names, func(_ string, content []byte) {
		path := paths[next]
		next++
		if failed == nil && content == nil {
			failed = fault.New(fault.Failed, "write %q: git has lost its content", path)
		}
		if failed == nil {
			failed = s.writeFile(path, blobs[path].Mode, content)
		}
	})
	return cmp.Or(failed, err)
}

// writeFile writes a file with the mode that git would give it.
func (s Snapshots) writeFile(path string, mode filemode.FileMode, content []byte) error {
	perm := fs.FileMode(0o666) // minus the umask, as in git
	if mode == filemode.Executable {
		perm = 0o777
	}
	file := s.repo.PathOf(path)
	temp := filepath.Join(filepath.Dir(file), ".ckpt-"+strconv.Itoa(os.Getpid()))
	defer os.Remove(temp) // for the case that it was not renamed
	err := os.MkdirAll(filepath.Dir(file), 0o777)
	if err == nil {
		err = os.WriteFile(temp, content, perm)
	}
	if err == nil {
		err = disk.Rename(temp, file)
	}
	if err != nil {
		return fault.New(fault.Failed, "write %q: %w", path, err)
	}
	return nil
}
