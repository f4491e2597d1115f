package git

import (
	"context"
	"os"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// Clashes are the files in conflict if the commit were merged into HEAD, by paths from
// the root; options are git's own. Nothing is changed for it. Fault.Unsupported where
// git cannot say: both have no commit in common.
func (r *Repo) Clashes(ctx context.Context, commit string, options ...string) ([]string, error) {
	if v, err := r.gitRelease(ctx); err != nil {
		return nil, err
	} else if v.before(2, 38) {
		return r.clashesAside(ctx, commit, options)
	}
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
	return nil, noTrial(commit)
}

func noTrial(commit string) error {
	return fault.New(fault.Unsupported, "this git cannot try a merge of %s", commit).WithHint("git pull")
}

// clashesAside is Clashes for a git before 2.38, which merges into an index and a
// working tree only: it is given empty ones. Git takes a file that is missing in the
// working tree for unchanged.
func (r *Repo) clashesAside(ctx context.Context, commit string, options []string) ([]string, error) {
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return nil, fault.New(fault.Failed, "try a merge: %w", err)
	}
	defer os.RemoveAll(dir)
	aside := func(args ...string) ([]byte, error) {
		cmd := r.command(ctx, args...)
		cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+dir, "GIT_INDEX_FILE="+dir+".index")
		return output(cmd, nil)
	}
	defer os.Remove(dir + ".index")
	bases, err := aside("merge-base", "--all", "HEAD", commit)
	if exitCode(err) == 1 {
		return nil, noTrial(commit)
	}
	if err == nil {
		_, err = aside("read-tree", "HEAD")
	}
	if err != nil {
		return nil, err
	}
	merge := append(append(options, "merge-recursive"), strings.Fields(string(bases))...)
	if _, err = aside(append(merge, "--", "HEAD", commit)...); exitCode(err) != 1 {
		return nil, err
	}
	unmerged, err := aside("diff", "--name-only", "--diff-filter=U", "-z")
	return strings.FieldsFunc(string(unmerged), func(c rune) bool { return c == 0 }), err
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
