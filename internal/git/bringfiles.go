package git

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
)

// removeFile removes a file, and the folders that are empty then. Where a folder has
// come in its place it is gone already.
func (r *Repo) removeFile(path string) error {
	file := filepath.Join(r.root, filepath.FromSlash(path))
	if info, err := os.Lstat(file); err == nil && info.IsDir() {
		return nil
	}
	if err := disk.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := filepath.Dir(file); dir != r.root && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
	return nil
}

// makeRoom removes the folder that stands where a file is to be, if folders are all
// that is in it.
func (r *Repo) makeRoom(path string) error {
	file := filepath.Join(r.root, filepath.FromSlash(path))
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

// writeFiles writes files as a snapshot has them: the very bytes where it holds them,
// else what git makes of the file as it is stored. By what attributes it does so is in
// files, too, which come first.
func (r *Repo) writeFiles(ctx context.Context, paths []string, want contents) error {
	rules := func(path string) bool { return path == ".gitattributes" || strings.HasSuffix(path, "/.gitattributes") }
	if first, rest := parted(paths, rules); len(first) > 0 && len(rest) > 0 {
		if err := r.writeFiles(ctx, first, want); err != nil {
			return err
		}
		paths = rest
	}
	for _, path := range paths {
		if err := r.makeRoom(path); err != nil {
			return err
		}
	}
	exact, plain := parted(paths, func(path string) bool { return want.bytes[path].Hash != "" })
	if err := r.checkOut(ctx, plain, want.work); err != nil {
		return err
	}
	return r.writeBytes(ctx, exact, want.bytes)
}

// parted are the paths for which is says yes, and the others.
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

// checkOut writes files as git would.
func (r *Repo) checkOut(ctx context.Context, paths []string, work map[string]Entry) error {
	if len(paths) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return fault.New(fault.Failed, "restore files: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	entries := map[string]Entry{}
	for _, path := range paths {
		entries[path] = work[path]
	}
	if _, err := r.Aside(ctx, index, r.indexInfo(entries), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	_, err = r.Aside(ctx, index, []byte(strings.Join(paths, "\x00")+"\x00"), "checkout-index", "-f", "-q", "-z", "--stdin")
	return err
}

// writeBytes writes blobs as they are, past git's filters.
func (r *Repo) writeBytes(ctx context.Context, paths []string, blobs map[string]Entry) error {
	var names []string
	for _, path := range paths {
		names = append(names, blobs[path].Hash)
	}
	var failed error
	next := 0
	err := r.Blobs(ctx, names, func(_ string, content []byte) {
		path := paths[next]
		next++
		if failed == nil && content == nil {
			failed = fault.New(fault.Failed, "write %q: git has lost its content", path)
		}
		if failed == nil {
			failed = r.writeFile(path, blobs[path].Mode, content)
		}
	})
	return cmp.Or(failed, err)
}

// writeFile writes a file with the mode that git gives it.
func (r *Repo) writeFile(path string, mode filemode.FileMode, content []byte) error {
	perm := fs.FileMode(0o666) // less the umask, as git has it
	if mode == filemode.Executable {
		perm = 0o777
	}
	file := r.pathOf(path)
	temp := filepath.Join(filepath.Dir(file), ".ckpt-"+strconv.Itoa(os.Getpid()))
	defer os.Remove(temp) // if it was not renamed
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
