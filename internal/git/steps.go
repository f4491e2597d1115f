package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Steps returns the newest commits that HEAD has grown from, whatever branch they came
// from, and that touched files below dir: at most limit, the newest first, and none that
// since (empty for no commit) has grown from. A merge has every file that one of its
// parents has otherwise; which parent has which version is not told. Where a partial clone
// cannot tell, the error is [ErrElsewhere].
func (r *Repo) Steps(ctx context.Context, dir, since string, limit int) ([]Commit, error) {
	head, err := r.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	how := []string{"--full-history", "-m", fmt.Sprintf("--max-count=%d", limit)}
	if since != "" {
		how = append(how, "^"+since)
	}
	commits, err := r.steps(ctx, head.Hash, dir, how...)
	addAgreeing(commits)
	return commits, err
}

// Between returns the commits, merges left out, that to has grown from and from has not,
// and that touched files below dir. Errors are those of [Repo.Steps].
func (r *Repo) Between(ctx context.Context, dir, from, to string) ([]Commit, error) {
	return r.steps(ctx, to, dir, "--full-history", "--no-merges", "^"+from)
}

func (r *Repo) steps(ctx context.Context, from, dir string, how ...string) ([]Commit, error) {
	commits, err := r.log(ctx, from, dir, how...)
	if err != nil && r.mayLack() {
		return nil, fmt.Errorf("%w: %w", ErrElsewhere, err)
	}
	return commits, err
}

// Message returns the whole message of a commit.
func (r *Repo) Message(ctx context.Context, commit string) (string, error) {
	out, err := r.Git(ctx, nil, "log", "--max-count=1", "--no-show-signature", "--format=%B", commit)
	return string(out), err
}

// LastTouched returns when the last of the commits that a commit has grown from touched a
// file (from the root); the zero time where none did.
func (r *Repo) LastTouched(ctx context.Context, commit, path string) (time.Time, error) {
	out, err := r.Offline().Git(ctx, nil, "log", "--max-count=1", "--no-show-signature", "--format=%ct", commit, "--", path)
	seconds, parseErr := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil || parseErr != nil {
		return time.Time{}, err
	}
	return time.Unix(seconds, 0), nil
}

// MergeBase returns the commit that two have grown from; empty for none.
func (r *Repo) MergeBase(ctx context.Context, ours, theirs string) (string, error) {
	return r.mergeBase(ctx, Merge{Ours: ours, Theirs: theirs})
}
