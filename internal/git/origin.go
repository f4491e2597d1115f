package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Conflicts are the files below dir (a slash path from the root) that git could
// not merge, by their paths below dir. It runs git.
func (r *Repo) Conflicts(ctx context.Context, dir string) (map[string]bool, error) {
	out, err := r.Git(ctx, nil, "ls-files", "--unmerged", "-z", "--full-name", "--", dir)
	found := map[string]bool{}
	for path := range ParseEntries(out) {
		found[strings.TrimPrefix(path, dir+"/")] = true
	}
	return found, err
}

// There says whether the working tree has anything at a path (from the root).
func (r *Repo) There(name string) bool {
	_, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name)))
	return err == nil
}

// Ignored says which of the paths git is told to ignore. It runs git.
func (r *Repo) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	ignored := map[string]bool{}
	if len(paths) == 0 {
		return ignored, nil
	}
	out, err := r.Git(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	if code := ExitCode(err); code == 1 {
		err = nil
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		ignored[name] = name != ""
	}
	return ignored, err
}

// IgnoredBy returns the rule that makes git ignore a path (from the root), as FILE:LINE:
// PATTERN; "" where none does. It runs git.
func (r *Repo) IgnoredBy(ctx context.Context, path string) (string, error) {
	out, err := r.Git(ctx, []byte(path+"\x00"), "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	if ExitCode(err) == 1 {
		return "", nil
	}
	part := strings.Split(string(out), "\x00") // file, line, pattern, path
	if err != nil || len(part) < 4 || strings.HasPrefix(part[2], "!") {
		return "", err
	}
	return part[0] + ":" + part[1] + ": " + part[2], nil
}

// AnyTracked reports whether the index has a file below a folder (from the root). It
// runs git.
func (r *Repo) AnyTracked(ctx context.Context, dir string) (bool, error) {
	out, err := r.Git(ctx, nil, "ls-files", "-z", "--", dir)
	return len(out) > 0, err
}
