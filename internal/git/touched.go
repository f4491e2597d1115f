package git

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Touched returns when each file below dir, a slash path from the root, was last
// touched by a commit that HEAD has grown from, by the committer's clock. Since, a
// commit whose answer is known, limits the walk to what came after it; ok is false
// where HEAD has not grown from it, as after a rebase. It runs git once.
func (r *Repo) Touched(ctx context.Context, dir, since, head string) (at map[string]time.Time, ok bool, err error) {
	commits := head
	if since != "" {
		commits = since + "..." + head
	}
	out, err := r.Offline().Git(ctx, nil, "-c", "log.showRoot=true", "-c", "log.follow=false", "log", "-z", "--left-right", "-c", "--name-only",
		"--no-renames", "--no-color", "--no-show-signature", "--format=%x01%m%ct", commits, "--", dir)
	if since != "" && ExitCode(err) == 128 { // gc took it
		return nil, false, nil
	}
	if err != nil {
		return nil, false, r.elsewhere(err)
	}
	at = map[string]time.Time{}
	for commit := range strings.SplitSeq(string(out), "\x01") {
		header, files, _ := strings.Cut(commit, "\x00")
		side, seconds, found := cutByte(header)
		switch {
		case !found:
			continue
		case since != "" && side == '<':
			return nil, false, nil
		}
		unix, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
		if err != nil {
			continue // a date that git cannot print either
		}
		when := time.Unix(unix, 0)
		for path := range strings.SplitSeq(files, "\x00") {
			if path = strings.TrimPrefix(path, "\n"); path != "" && when.After(at[path]) {
				at[path] = when
			}
		}
	}
	return at, true, nil
}

// TouchedPending returns when each file below dir was last touched by an operation that
// waits in this working tree's pending ref; nil where none does.
func (r *Repo) TouchedPending(ctx context.Context, dir string) (map[string]time.Time, error) {
	tip, err := r.Ref(ctx, r.PendingRef())
	if err != nil || tip == "" {
		return nil, err
	}
	found, _, err := r.Touched(ctx, pendingNow+"/"+dir, "", tip)
	at := make(map[string]time.Time, len(found))
	for path, when := range found {
		at[strings.TrimPrefix(path, pendingNow+"/"+dir+"/")] = when
	}
	return at, err
}
