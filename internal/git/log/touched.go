package log

import (
	"context"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/git"
)

// Touched returns when each file below dir, a slash path from the root, was last
// touched by a commit that HEAD has grown from, by the committer's clock. Since, a
// commit whose answer is known, limits the walk to what came after it; ok is false
// where HEAD has not grown from it, as after a rebase. It runs git once.
func (l Log) Times(ctx context.Context, dir, since, head string) (at map[string]time.Time, ok bool, err error) {
	commits := head
	if since != "" {
		commits = since + "..." + head
	}
	out, err := l.repo.Offline().Git(ctx, nil, "-c", "log.showRoot=true", "-c", "log.follow=false", "log", "-z", "--left-right", "-c", "--name-only",
		"--no-renames", "--no-color", "--no-show-signature", "--format=%x01%m%ct", commits, "--", dir)
	if since != "" && git.ExitCode(err) == 128 { // gc took it
		return nil, false, nil
	}
	if err != nil {
		return nil, false, l.repo.Objects().Elsewhere(err)
	}
	at = map[string]time.Time{}
	for commit := range strings.SplitSeq(string(out), "\x01") {
		header, files, _ := strings.Cut(commit, "\x00")
		if header == "" {
			continue
		}
		if since != "" && header[0] == '<' {
			return nil, false, nil
		}
		unix, err := strconv.ParseInt(strings.TrimSpace(header[1:]), 10, 64)
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
