package log

import (
	"context"
	"strings"
)

// Versions is every commit that any ref or HEAD reaches and that touched files at
// the given paths (from the root), parents before children; their Subject is the
// whole message. A merge is in it with the files that it has otherwise than each of
// its parents. It runs git once.
func (l Log) Versions(ctx context.Context, paths ...string) ([]Commit, error) {
	args := []string{
		"-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--all", "--full-history", "-c", "--topo-order", "--reverse",
		"--raw", "--no-renames", "--no-abbrev", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8",
		strings.Replace(logFormat(), "%s", "%B", 1), "--",
	}
	out, err := l.repo.Offline().Git(ctx, nil, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), "")
}

// Staged is what the index changes against HEAD at the given paths.
func (l Log) Staged(ctx context.Context, paths ...string) ([]FileChange, error) {
	args := []string{"diff", "--cached", "--raw", "--no-renames", "--no-abbrev", "--no-color", "--no-ext-diff", "-z", "--"}
	out, err := l.repo.Git(ctx, nil, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	var changes []FileChange
	part := strings.Split(string(out), "\x00") // by turns what happened, and to which file
	for i := 0; i+1 < len(part); i += 2 {
		f, err := parseChange(part[i])
		if err != nil {
			return nil, err
		}
		f.Path = part[i+1]
		changes = append(changes, f)
	}
	return changes, nil
}
