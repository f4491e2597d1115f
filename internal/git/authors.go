package git

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Author is who a commit says that it is by. Nobody has checked it.
type Author struct{ Name, Email string }

// Known reports whether there is an author at all.
func (a Author) Known() bool { return a.Name+a.Email != "" }

// Authors returns who wrote the newest commits, at most n, that touched files below
// dir (a slash path from the root): each author once, the most frequent first. It
// runs git and fetches nothing.
func (r *Repo) Authors(ctx context.Context, dir string, n int) ([]Author, error) {
	all, err := r.authorsOf(ctx, dir, n)
	if err != nil {
		return nil, err
	}
	var order []Author
	count := map[Author]int{}
	for _, a := range all {
		if count[a]++; count[a] == 1 {
			order = append(order, a)
		}
	}
	slices.SortStableFunc(order, func(a, b Author) int { return count[b] - count[a] })
	return order, nil
}

// LastAuthor returns who wrote the newest commit that changed the file at path (from
// the root), unless that is the user; the zero Author also where no commit has the
// file, or where this clone's history is cut off before the change. It runs git only
// where the change lies behind a merge, or more than a few commits back.
func (r *Repo) LastAuthor(ctx context.Context, path string) (Author, error) {
	me, err := r.firstOf(ctx, "GIT_AUTHOR_EMAIL", "author.email", "user.email")
	if err != nil {
		return Author{}, err
	}
	a, ok := r.recentAuthor(path)
	if !ok {
		all, err := r.authorsOf(ctx, path, 1)
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

// authorsOf returns the authors of the newest n commits that touched path. Commits
// at which history is cut off do not count: they seem to have brought every file.
func (r *Repo) authorsOf(ctx context.Context, path string, n int) ([]Author, error) {
	head, err := r.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	cut, err := r.Shallow()
	if err != nil {
		return nil, err
	}
	out, err := r.Offline().git(ctx, nil, "-c", "log.follow=false", "log", "--no-show-signature", "--no-color", "--encoding=UTF-8",
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

// recentAuthor is LastAuthor without git, for what is nearly always there: the change
// is among the newest commits, in a line without a merge. Anything else is not ok.
func (r *Repo) recentAuthor(path string) (a Author, ok bool) {
	if r.foreign() != "" {
		return a, false
	}
	head, err := r.Head()
	if err != nil || head.Hash == "" {
		return a, err == nil
	}
	db := r.objectsDB()
	at := head.Hash
	has := func(commit string) (place, bool) {
		tree, err := treeOf(db, commit)
		if err != nil {
			return place{}, false
		}
		p, err := lookup(db, tree, path)
		return p, err == nil
	}
	now, ok := has(at)
	if !ok || now == (place{}) {
		return a, ok
	}
	for range linearMost {
		h, err := parseHash(at)
		if err != nil {
			return a, false
		}
		commit, err := db.want(plumbing.CommitObject, h)
		if err != nil {
			return a, false
		}
		parent, _, one := lineOf(commit)
		if !one {
			return a, false
		}
		before, ok := has(parent)
		if !ok {
			return a, false
		}
		if before != now {
			return authorOf(commit), true
		}
		at = parent
	}
	return a, false
}

// authorOf returns the author of a commit object.
func authorOf(commit []byte) Author {
	head, _, _ := bytes.Cut(commit, []byte("\n\n"))
	for line := range strings.SplitSeq(string(head), "\n") {
		if by, is := strings.CutPrefix(line, "author "); is {
			name, _, _ := strings.Cut(by, " <")
			return Author{name, person(by).email()}
		}
	}
	return Author{}
}
