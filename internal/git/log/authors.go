package log

import (
	"context"
	"errors"
	"slices"
	"strings"

	"example.com/ckpt/internal/git"
)

// Author is the author that a commit names. Git does not verify it.
type Author struct{ Name, Email string }

// Authors returns the authors of the newest n commits that touched files below dir: each author once, the most frequent
// first. It reads the history of the branch as well as that of the checkpoint ref, because a commit of the ref may take
// in many commits of the branch. It ignores the commits at which a shallow clone ends, because they seem to add every
// file.
func (l Log) Authors(ctx context.Context, dir string, n int) ([]Author, error) {
	all, err := l.Recent(ctx, dir, n, "--ignore-missing", "HEAD")
	if err != nil {
		return nil, err
	}
	cut, err := l.repo.Objects().Shallow()
	all = slices.DeleteFunc(all, func(c Commit) bool { return cut[c.Hash] })
	var order []Author
	count := map[Author]int{}
	for _, c := range all {
		a := Author{c.Author, c.Email}
		count[a]++
		if count[a] == 1 {
			order = append(order, a)
		}
	}
	slices.SortStableFunc(order, func(a, b Author) int { return count[b] - count[a] })
	return order, err
}

// LastAuthor returns the author of the newest commit that changed the file at path (from the root). Commits of the
// branch that the checkpoint ref has yet to take in count as the newest. If a commit of the ref has taken in commits of
// a branch, the newest of these counts in its place. The author is zero if it is the user, if no commit has the file,
// or if the history of a shallow clone begins after the change.
func (l Log) LastAuthor(ctx context.Context, path string) (Author, error) {
	me, err := l.repo.Config().AuthorEmail(ctx)
	if err != nil {
		return Author{}, err
	}
	c, err := l.lastChange(ctx, Files{Dir: path})
	if errors.Is(l.repo.Objects().Elsewhere(err), git.ErrElsewhere) {
		return Author{}, nil
	}
	if err != nil {
		return Author{}, err
	}
	cut, err := l.repo.Objects().Shallow()
	if cut[c.Hash] || me != "" && strings.EqualFold(c.Email, me) {
		return Author{}, err
	}
	return Author{c.Author, c.Email}, err
}

// lastChange returns the commit whose author is the result of LastAuthor; zero if not found.
func (l Log) lastChange(ctx context.Context, of Files) (c Commit, err error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return c, err
	}
	unseen, seen, err := l.unseen()
	ok := false
	if unseen != "" {
		options := append([]string{"--no-merges", "--ignore-missing", unseen, "--not"}, seen...)
		c, ok, err = l.Last(ctx, of, options...)
	}
	if !ok && err == nil {
		c, _, err = l.Last(ctx, of, head.Hash)
	}
	for _, took := range c.TookIn() {
		if brought, ok, err := l.Last(ctx, of, "--ignore-missing", took); ok || err != nil {
			return brought, err
		}
	}
	return c, err
}
