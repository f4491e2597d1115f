package log

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/git"
)

// Steps returns the newest commits that HEAD has grown from, whatever branch they came
// from, and that touched files below dir: at most limit, the newest first, and none that
// since (empty for no commit) has grown from. A merge has every file that one of its
// parents has otherwise; which parent has which version is not told. Where a partial clone
// cannot tell, the error is [ErrElsewhere].
func (l Log) Recent(ctx context.Context, dir, since string, limit int) ([]Commit, error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	how := []string{"--full-history", "-m", fmt.Sprintf("--max-count=%d", limit)}
	if since != "" {
		how = append(how, "^"+since)
	}
	commits, err := l.steps(ctx, head.Hash, dir, how...)
	addAgreeing(commits)
	return commits, err
}

// Between returns the commits, merges left out, that to has grown from and from has not,
// and that touched files below dir. Errors are those of [Repo.Steps].
func (l Log) Between(ctx context.Context, dir, from, to string) ([]Commit, error) {
	return l.steps(ctx, to, dir, "--full-history", "--no-merges", "^"+from)
}

func (l Log) steps(ctx context.Context, from, dir string, how ...string) ([]Commit, error) {
	commits, err := l.log(ctx, from, dir, how...)
	if err != nil && l.repo.MayLack() {
		return nil, fmt.Errorf("%w: %w", git.ErrElsewhere, err)
	}
	return commits, err
}

// Message returns the whole message of a commit.
func (l Log) Message(ctx context.Context, commit string) (string, error) {
	out, err := l.repo.Git(ctx, nil, "log", "--max-count=1", "--no-show-signature", "--format=%B", commit)
	return string(out), err
}

// LastTouched returns when the last of the commits that a commit has grown from touched a
// file (from the root); the zero time where none did.
func (l Log) LastTouched(ctx context.Context, commit, path string) (time.Time, error) {
	out, err := l.repo.Offline().Git(ctx, nil, "log", "--max-count=1", "--no-show-signature", "--format=%ct", commit, "--", path)
	seconds, parseErr := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil || parseErr != nil {
		return time.Time{}, err
	}
	return time.Unix(seconds, 0), nil
}

// MergeBase returns the commit that two have grown from; empty for none.
func (l Log) MergeBase(ctx context.Context, ours, theirs string) (string, error) {
	return l.mergeBase(ctx, Merge{Ours: ours, Theirs: theirs})
}
