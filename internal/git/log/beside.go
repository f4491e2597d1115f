package log

import (
	"context"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Unreached returns the commits that are not ancestors of the commit from, in the given
// order; an empty from has no ancestors. Commits that this clone lacks are left out. It
// runs git once.
func (l Log) Unreached(ctx context.Context, from string, commits []string) ([]string, error) {
	out, err := l.repo.Offline().Git(ctx, []byte(spanOf([]string{from}, commits)), "rev-list", "--ignore-missing", "--stdin")
	if err != nil {
		return nil, err
	}
	unreached := map[string]bool{}
	for commit := range strings.Lines(string(out)) {
		unreached[strings.TrimSuffix(commit, "\n")] = true
	}
	var all []string
	for _, commit := range commits {
		if unreached[commit] {
			all = append(all, commit)
		}
	}
	return all, nil
}

// Beside returns the commits that touched files below dir, a slash path from the root, and
// that are in the history of commits but not in that of without. A merge counts with the
// files in which it differs from each of its parents. It runs git once and fetches nothing.
func (l Log) Outside(ctx context.Context, without, commits []string, dir string) ([]Commit, error) {
	args := []string{"-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--ignore-missing", "-c", "--raw", "--no-renames", "--no-abbrev", "-z",
		"--no-color", "--no-show-signature", "--encoding=UTF-8", logFormat(), "--stdin", "--", dir}
	out, err := l.repo.Offline().Git(ctx, []byte(spanOf(without, commits)), args...)
	if err != nil {
		return nil, l.repo.Objects().Elsewhere(err)
	}
	return parseCommits(string(out), dir)
}

// spanOf returns what git reads on standard input for the commits in the history of commits
// but not in that of without, in which empty names are skipped.
func spanOf(without, commits []string) string {
	span := strings.Join(commits, "\n") + "\n"
	for _, commit := range without {
		if commit != "" {
			span += "^" + commit + "\n"
		}
	}
	return span
}

// FilesAt calls visit with the blobs that each of the commits has at the wanted paths, which
// are relative to dir, a slash path from the root. It fetches nothing.
func (l Log) FilesAt(ctx context.Context, commits []string, dir string, wanted map[string]bool, visit func(commit string, files map[string]string)) error {
	for _, commit := range commits {
		files, err := l.repo.Offline().Objects().FolderAt(ctx, commit, dir)
		if err != nil {
			return err
		}
		blobs := map[string]string{}
		for path := range wanted {
			if e := files[path]; !e.IsZero() {
				blobs[path] = e.Hash
			}
		}
		visit(commit, blobs)
	}
	return nil
}

// Grown reports whether a commit is another one with at most so many commits on top, each
// with one parent, and has the same folder at dir. It runs no process, and says no where
// only git could tell.
func (l Log) Grown(from, to string, most int, dir string) bool {
	if l.repo.Foreign() != "" || !l.sameFolder(from, to, dir) {
		return false
	}
	for range most {
		c, err := object.ReadCommit(l.repo.Objects().Database(), to)
		if err != nil || len(c.Parents) != 1 {
			return false
		}
		if to = c.Parents[0]; to == from {
			return true
		}
	}
	return false
}

func (l Log) sameFolder(a, b, dir string) bool {
	var at [2]git.Entry
	for i, commit := range []string{a, b} {
		c, err := object.ReadCommit(l.repo.Objects().Database(), commit)
		if err != nil {
			return false
		}
		if at[i], err = object.PathsOf(l.repo.Objects().Database(), c.Tree).At(dir); err != nil {
			return false
		}
	}
	return at[0] == at[1]
}
