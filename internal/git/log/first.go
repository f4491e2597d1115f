package log

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// FirstCommit is when path, a slash path from the root, first was in a commit, under
// this name or one that it was renamed from; zero where it never was, or where the
// clone cannot tell. It runs git.
func (l Log) FirstCommit(ctx context.Context, path string, folder bool) time.Time {
	args := []string{"log", "--format=%ct"}
	if !folder { // --follow is for one file
		args = append(args, "--follow")
	}
	out, err := l.repo.Offline().Git(ctx, nil, append(args, "--", path)...)
	if err != nil {
		return time.Time{}
	}
	lines := strings.Fields(string(out))
	if len(lines) == 0 {
		return time.Time{}
	}
	seconds, err := strconv.ParseInt(lines[len(lines)-1], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
