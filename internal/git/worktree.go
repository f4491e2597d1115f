package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Worktree answers questions about files of the working tree.
type Worktree struct{ repo *Repo }

// Worktree returns the worktree of the repository.
func (r *Repo) Worktree() Worktree { return Worktree{repo: r} }

// Exists reports whether the working tree has anything at a path (from the root).
func (w Worktree) Exists(name string) bool {
	return disk.Exists(filepath.Join(w.repo.root, filepath.FromSlash(name)))
}

// Ignored returns which of the paths git ignores.
func (w Worktree) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	ignored := map[string]bool{}
	if len(paths) == 0 {
		return ignored, nil
	}
	out, err := w.repo.Git(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	if code := ExitCode(err); code == 1 {
		err = nil
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		ignored[name] = name != ""
	}
	return ignored, err
}

// IgnoredBy returns the rule that makes git ignore a path (from the root), as FILE:LINE: PATTERN.
// It is empty if git does not ignore the path.
func (w Worktree) IgnoredBy(ctx context.Context, path string) (string, error) {
	out, err := w.repo.Git(ctx, []byte(path+"\x00"), "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	if ExitCode(err) == 1 {
		return "", nil
	}
	part := strings.Split(string(out), "\x00") // the parts are file, line, pattern, path
	if err != nil || len(part) < 4 || strings.HasPrefix(part[2], "!") {
		return "", err
	}
	return part[0] + ":" + part[1] + ": " + part[2], nil
}

// ModTime returns when a file of the working tree, a path from the root, was last written; zero
// if it does not exist.
func (w Worktree) ModTime(path string) time.Time {
	info, err := os.Lstat(filepath.Join(w.repo.root, filepath.FromSlash(path)))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Content returns a string that changes with the content of a file of the working tree: the hash of its bytes as a
// blob, or its size and time if it is too large to be read. It returns "none" for a file that does not exist, and ""
// for a folder.
func (w Worktree) Content(path string) string {
	name := filepath.Join(w.repo.root, filepath.FromSlash(path))
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return "none"
	case info.IsDir():
		return ""
	case info.Mode()&os.ModeSymlink != 0:
		target, _ := os.Readlink(name)
		return w.repo.Objects().BlobHash([]byte(target))
	}
	src, err := disk.ReadFile(name)
	if err != nil {
		return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
	}
	return w.repo.Objects().BlobHash(src)
}

// CheckPaths returns fault.Refused if git cannot store a file at one of the paths, and fault.Unsupported
// if a path leads through a symbolic link or into another repository.
func (w Worktree) CheckPaths(files []change.File) error {
	seen := map[string]bool{}
	for _, f := range files {
		for part := range strings.SplitSeq(f.Path, "/") {
			reserved := part == "" || part == "." || part == ".."
			if reserved || strings.EqualFold(part, ".git") {
				return fault.New(fault.Refused, "git cannot store the path %q", f.Path)
			}
		}
		if err := w.checkPath(f.Path, seen); err != nil {
			return err
		}
	}
	return nil
}

// checkPath checks a file and the folders above it, up to the root. It skips paths in seen, and adds those that it
// checks.
func (w Worktree) checkPath(file string, seen map[string]bool) error {
	for at := path.Clean(file); at != "." && at != "/" && !seen[at]; at = path.Dir(at) {
		seen[at] = true
		full := filepath.Join(w.repo.root, filepath.FromSlash(at))
		info, err := os.Lstat(full)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fault.New(fault.Failed, "look at %q: %w", at, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fault.New(fault.Unsupported, "%q is a symbolic link, through which ckpt does not write", at).
				WithHint("use the folder it points at: --dir")
		}
		if !info.IsDir() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(full, ".git")); err == nil {
			return fault.New(fault.Unsupported, "%q is a repository of its own", at).
				WithHint("run ckpt in there, or choose another folder: --dir")
		}
	}
	return nil
}
