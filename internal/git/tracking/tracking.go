// Package tracking tells whether any branch tracks certain files. It remembers what it has read: the
// question takes a few stats while no branch moves, and otherwise reads only new commits.
package tracking

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/recall"
)

// Any reports whether HEAD or a branch, local or remote-tracking, has a file or folder at one of the
// paths, or may have one that a partial clone lacks. The branch named except, here and in remotes, does
// not count.
func Any(ctx context.Context, repo *git.Repo, paths []string, except string) (bool, error) {
	q := question{repo: repo, paths: paths, except: except}
	asked := strings.Join(paths, "\n") + "\n" + except
	answer := filepath.Join(repo.JournalDir(), "tracking") // has the last question, if no branch tracks its paths
	if last, ok := recall.Answer(answer, time.Now()); ok && last == asked {
		return false, nil
	}
	files := repo.Branches().Files()
	state, settled := git.StateOf(files, time.Now())
	tips, err := q.tips(ctx)
	if err != nil {
		return false, err
	}
	read := filepath.Join(repo.CommonDir(), "ckpt", "tips")
	unread := without(read, asked, tips)
	found, err := q.isIn(ctx, unread)
	if found || err != nil {
		return found, err
	}
	if len(unread) > 0 { // if this fails, the tips are read again
		_ = disk.WriteFile(read, []byte(asked+"\x00"+strings.Join(tips, "\n")), false)
	}
	if settled {
		recall.Keep(answer, asked, files, state)
	}
	return false, nil
}

// without returns the commits that are not in a file of commits that have none of the paths. A file
// for another question has none.
func without(file, asked string, commits []string) []string {
	read := map[string]bool{}
	src, _ := disk.ReadFile(file)
	if last, tips, _ := strings.Cut(string(src), "\x00"); last == asked {
		for tip := range strings.SplitSeq(tips, "\n") {
			read[tip] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(commits), func(tip string) bool { return read[tip] })
}

// question is what [Any] is asked.
type question struct {
	repo   *git.Repo
	paths  []string
	except string
}

// tips returns the commits of HEAD and of all branches but the excepted one.
func (q question) tips(ctx context.Context) ([]string, error) {
	head, err := q.repo.Head()
	if err != nil {
		return nil, err
	}
	all, err := q.repo.Branches().All(ctx)
	if err != nil {
		return nil, err
	}
	var tips []string
	if head.Hash != "" {
		tips = append(tips, head.Hash)
	}
	for _, b := range all {
		name := b.Name
		if b.Remote {
			_, name, _ = strings.Cut(name, "/")
		}
		if name != q.except {
			tips = append(tips, b.Commit)
		}
	}
	slices.Sort(tips)
	return slices.Compact(tips), nil
}

// isIn reports whether one of the commits has one of the paths. A commit whose trees a partial clone
// lacks counts as one: git fetches them when it checks out the commit, and may overwrite files then.
func (q question) isIn(ctx context.Context, commits []string) (bool, error) {
	var byGit []string
	for _, commit := range commits {
		found, err := q.isInOne(commit)
		if err == nil && found {
			return true, nil
		}
		if err != nil {
			byGit = append(byGit, commit)
		}
	}
	switch {
	case len(byGit) == 0:
		return false, nil
	case q.repo.MayLack():
		return q.mayBeIn(ctx, byGit), ctx.Err()
	}
	var names strings.Builder
	for _, commit := range byGit {
		for _, path := range q.paths {
			names.WriteString(commit + ":" + path + "\n")
		}
	}
	out, err := q.repo.Offline().Git(ctx, []byte(names.String()), "cat-file", "--batch-check=%(objecttype)")
	if err != nil { // objects are missing here, too
		return q.mayBeIn(ctx, byGit), ctx.Err()
	}
	for line := range strings.Lines(string(out)) {
		if kind := strings.TrimSpace(line); kind == "tree" || kind == "blob" {
			return true, nil
		}
	}
	return false, nil
}

// mayBeIn is isIn for commits of which objects may be missing.
func (q question) mayBeIn(ctx context.Context, commits []string) bool {
	return slices.ContainsFunc(commits, func(commit string) bool {
		args := append([]string{"ls-tree", "--name-only", commit, "--"}, q.paths...)
		out, err := q.repo.Offline().Git(ctx, nil, args...)
		return err != nil || len(out) > 0
	})
}

// isInOne is isIn for one commit. It fails if only git may be able to read it.
func (q question) isInOne(commit string) (bool, error) {
	if q.repo.Foreign() != "" {
		return false, object.ErrMissing
	}
	db := q.repo.Objects().Database()
	c, err := object.ReadCommit(db, commit)
	if err != nil {
		return false, err
	}
	tree := object.PathsOf(db, c.Tree)
	for _, path := range q.paths {
		if e, err := tree.At(path); err != nil || !e.IsZero() {
			return err == nil, err
		}
	}
	return false, nil
}
