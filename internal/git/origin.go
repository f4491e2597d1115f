package git

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// Origin is the commit that the user was at, and goes back to or takes along,
// while a rebase or a bisect has the working tree at another one; "" where HEAD is
// the user's own.
func (r *Repo) Origin(ctx context.Context) (string, error) {
	for _, name := range [...]string{"rebase-merge/orig-head", "rebase-apply/orig-head"} {
		if commit, err := r.gitNote(name); err != nil || isHash(commit) {
			return commit, err
		}
	}
	start, err := r.gitNote("BISECT_START") // a branch, or a commit where HEAD was detached
	if err != nil || start == "" || isHash(start) {
		return start, err
	}
	return r.refValue(ctx, "refs/heads/"+start)
}

// OwnCommit returns Origin, else the commit that HEAD is at; "" for none.
func (r *Repo) OwnCommit(ctx context.Context) (string, error) {
	origin, err := r.Origin(ctx)
	if err != nil || origin != "" {
		return origin, err
	}
	head, err := r.Head()
	return head.Hash, err
}

// gitNote is what a file of one line in this working tree's git folder says; ""
// where there is none.
func (r *Repo) gitNote(name string) (string, error) {
	data, err := disk.Bytes(filepath.Join(r.gitDir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fault.New(fault.Failed, "read %s: %w", name, err)
	}
	return strings.TrimSpace(string(data)), nil
}

// Conflicts are the files below dir (a slash path from the root) that git could
// not merge, by their paths below dir. It runs git.
func (r *Repo) Conflicts(ctx context.Context, dir string) (map[string]bool, error) {
	out, err := r.git(ctx, nil, "ls-files", "--unmerged", "-z", "--full-name", "--", dir)
	found := map[string]bool{}
	for path := range parseEntries(out) {
		found[strings.TrimPrefix(path, dir+"/")] = true
	}
	return found, err
}
