package log

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/git"
)

// Author is the author that a commit names. Git does not verify it.
type Author struct{ Name, Email string }

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

// LastAuthor returns the author of the newest commit that changed the file at path (from the root), unless the user is
// that author. It is also zero if no commit has the file, or if the history of a shallow clone begins after the
// change.
func (l Log) LastAuthor(ctx context.Context, path string) (Author, error) {
	me, err := l.repo.Config().AuthorEmail(ctx)
	if err != nil {
		return Author{}, err
	}
	all, err := l.authorsOf(ctx, path, 1)
	if errors.Is(l.repo.Objects().Elsewhere(err), git.ErrElsewhere) {
		return Author{}, nil
	}
	if err != nil || len(all) == 0 {
		return Author{}, err
	}
	if me != "" && strings.EqualFold(all[0].Email, me) {
		return Author{}, nil
	}
	return all[0], nil
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
