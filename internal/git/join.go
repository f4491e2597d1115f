package git

import (
	"context"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// Clashes are the files in conflict if the commit were merged into HEAD, by paths from
// the root; options are git's own. Nothing is changed for it. Fault.Unsupported where
// git cannot say: it is older than 2.38, or both have no commit in common.
func (r *Repo) Clashes(ctx context.Context, commit string, options ...string) ([]string, error) {
	cmd := r.command(ctx, append(options, "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", "HEAD", commit)...)
	var out strings.Builder
	cmd.Stdout = &out
	err := cmd.Run()
	switch code := cmd.ProcessState.ExitCode(); {
	case err == nil:
		return nil, nil
	case code == 1: // the tree, then the names
		_, names, _ := strings.Cut(out.String(), "\x00")
		return strings.FieldsFunc(names, func(c rune) bool { return c == 0 }), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fault.New(fault.Unsupported, "this git cannot try a merge of %s", commit).WithHint("git pull")
}

// Join makes HEAD hold a commit that [Repo.Clashes] found no clash with, as `git merge`
// does: it is moved there, or merges. What git refuses, since it would write over edits
// or a hook says no, changes nothing.
func (r *Repo) Join(ctx context.Context, commit, message string, options ...string) error {
	_, err := r.git(ctx, nil, append(options, "merge", "--quiet", "--no-edit", "--ff", "-m", message, commit)...)
	if err != nil && r.InProgress() == "merge" {
		if _, back := r.git(ctx, nil, "merge", "--abort"); back != nil {
			return fault.New(fault.Failed, "%w; %w", err, back)
		}
	}
	return err
}
