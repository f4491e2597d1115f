package log

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Author is the author that a commit names. Git does not verify it.
type Author struct{ Name, Email string }

// Known reports whether the author has a name or an address.
func (a Author) Known() bool { return a.Name+a.Email != "" }

// Authors returns the authors of the newest commits, at most n, that touched files below dir:
// each author once, the most frequent first.
func (l Log) Authors(ctx context.Context, dir string, n int) ([]Author, error) {
	all, err := l.authorsOf(ctx, dir, n)
	if err != nil {
		return nil, err
	}
	var order []Author
	count := map[Author]int{}
	for _, a := range all {
		count[a]++
		if count[a] == 1 {
			order = append(order, a)
		}
	}
	slices.SortStableFunc(order, func(a, b Author) int { return count[b] - count[a] })
	return order, nil
}

// LastAuthor returns the author of the newest commit that changed the file at path (from the root),
// unless the user is that author. It is zero, too, if no commit has the file, or if the history of
// a shallow clone ends before the change. It runs git only if the change is behind a merge, or more
// than a few commits back.
func (l Log) LastAuthor(ctx context.Context, path string) (Author, error) {
	me, err := l.repo.Config().AuthorEmail(ctx)
	if err != nil {
		return Author{}, err
	}
	a, ok := recentAuthor(l.repo, path)
	if !ok {
		all, err := l.authorsOf(ctx, path, 1)
		if errors.Is(l.repo.Objects().Elsewhere(err), git.ErrElsewhere) {
			return Author{}, nil
		}
		if err != nil || len(all) == 0 {
			return Author{}, err
		}
		a = all[0]
	}
	if me != "" && strings.EqualFold(a.Email, me) {
		return Author{}, nil
	}
	return a, nil
}

// authorsOf returns the authors of the newest n commits that touched path. The commits at which a
// shallow clone ends do not count, since they seem to add every file.
func (l Log) authorsOf(ctx context.Context, path string, n int) ([]Author, error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	cut, err := l.repo.Objects().Shallow()
	if err != nil {
		return nil, err
	}
	out, err := l.repo.Offline().
		Git(ctx, nil, "-c", "log.follow=false", "log", "--no-show-signature", "--no-color", "--encoding=UTF-8",
			"--max-count="+strconv.Itoa(n), "--format=%H%x00%an%x00%ae", head.Hash, "--", path)
	if err != nil {
		return nil, err
	}
	var all []Author
	for line := range strings.Lines(string(out)) {
		if part := strings.Split(strings.TrimSuffix(line, "\n"), "\x00"); len(part) == 3 && !cut[part[0]] {
			all = append(all, Author{part[1], part[2]})
		}
	}
	return all, nil
}

// recentCommits is how many commits are read here at most; after that, git is asked.
const recentCommits = 32

// recentAuthor does the work of LastAuthor without git in the usual case: the change is among the
// newest commits. At a merge it follows the first parent that has the same version of the file as
// the merge, as git does. In any other case ok is false.
func recentAuthor(repo *git.Repo, path string) (a Author, ok bool) {
	if repo.Foreign() != "" {
		return a, false
	}
	head, err := repo.Head()
	if err != nil || head.Hash == "" {
		return a, err == nil
	}
	cut, err := repo.Objects().Shallow()
	if err != nil {
		return a, false
	}
	db := repo.Objects().Database()
	at, err := object.ReadCommit(db, head.Hash)
	if err != nil {
		return a, false
	}
	now, err := object.PathsOf(db, at.Tree).At(path)
	if err != nil || now.IsZero() {
		return a, err == nil
	}
	commit := head.Hash
	for range recentCommits {
		if cut[commit] { // a commit at the end of a shallow clone seems to add every file
			return Author{}, true
		}
		same := ""
		var parent object.CommitText
		for _, name := range at.Parents {
			parent, err = object.ReadCommit(db, name)
			if err != nil {
				return a, false
			}
			before, err := object.PathsOf(db, parent.Tree).At(path)
			if err != nil {
				return a, false
			}
			if before == now {
				same = name
				break
			}
		}
		if same == "" {
			return Author{Name: at.Author.Name(), Email: at.Author.Email()}, true
		}
		commit, at = same, parent
	}
	return a, false
}
