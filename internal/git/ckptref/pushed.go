package ckptref

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
)

// Unpushed returns the time of the oldest operation that no remote is known to have, and the remote
// to push it to. The time is zero if all operations are pushed, or if the repository has no remote.
func (r Ref) Unpushed(ctx context.Context) (oldest time.Time, remote string, err error) {
	tip, err := r.Tip(ctx)
	if err != nil || tip == "" {
		return time.Time{}, "", err
	}
	remote, err = r.remote(ctx)
	if err != nil || remote == "" {
		return time.Time{}, "", err
	}
	out, err := r.repo.Offline().Git(ctx, nil, "log", "--no-merges", "--min-parents=1", "--no-show-signature",
		"--format=%ct", tip, "--not", "--glob=refs/ckpt/remotes/*")
	if err != nil {
		return time.Time{}, "", err
	}
	for line := range strings.Lines(string(out)) {
		seconds, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		if err != nil {
			return time.Time{}, "", fault.New(fault.Failed, "the times of the commits on %s: %w", r.name, err)
		}
		if at := time.Unix(seconds, 0).UTC(); oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	return oldest, remote, nil
}

// remote returns the remote to which the ref is pushed; "" if the repository has no remote.
func (r Ref) remote(ctx context.Context) (string, error) {
	if remote, err := r.repo.Config().Setting(ctx, "ckpt.remote", ""); remote != "" || err != nil {
		return remote, err
	}
	out, err := r.repo.Git(ctx, nil, "remote")
	all := strings.Fields(string(out))
	if err != nil || len(all) == 0 {
		return "", err
	}
	if slices.Contains(all, "origin") {
		return "origin", nil
	}
	return all[0], nil
}

// Unfetched returns the remote of a clone that has yet to fetch the ref, which git clone does not do. It returns "" if
// the clone has the ref, or has no remote. An error is ignored: commands that read the ref report it.
func (r Ref) Unfetched(ctx context.Context) string {
	tip, err := r.Tip(ctx)
	if err != nil || tip != "" {
		return ""
	}
	remote, _ := r.remote(ctx)
	return remote
}
