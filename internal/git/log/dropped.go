package log

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/refs"
)

// Dropped is a commit of ckpt that is no longer on its branch, or that was made on a detached HEAD
// and that no branch contains.
type Dropped struct {
	Commit
	Branch string
	By     string // the message of the reflog for the move of the branch: "rebase (abort)"
}

// Dropped returns ckpt's newest commits on the branch that is checked out, or on a detached HEAD,
// that the branch no longer contains, the newest first. It stops at one that the branch contains,
// or whose changes were reapplied. When a rebase is aborted, or after a reset, a branch returns to
// an earlier commit, which may be before a commit of ckpt. The commits in own, which the caller has
// just made, are skipped.
//
// Their files are those below dir. Dropped reads the end of HEAD's reflog. It runs git only if HEAD
// has moved since by something other than a new commit.
func (l Log) Dropped(ctx context.Context, dir string,
	carried func(Commit) (bool, error), own ...string) ([]Dropped, error) {
	on, err := l.repo.Checkout()
	if err != nil || on.Branch() == "" {
		return nil, err
	}
	lines, err := l.repo.Refs().Log(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	var all []Dropped
	by, at := "", on.Branch()
	for _, line := range lines {
		action, what, _ := strings.Cut(line.Message, ": ")
		if from, to, switched := strings.Cut(what, " to "); switched && strings.HasPrefix(from, "moving from ") {
			at = strings.TrimPrefix(from, "moving from ")
			if at == on.Branch() && to == at {
				continue
			}
		}
		switch {
		case slices.Contains(own, line.Commit), at != on.Branch() && !refs.IsHash(at):
			continue // the line belongs to another branch
		case action != commit.Action:
			if !onward(action) {
				by = cmp.Or(action, "git")
			}
			continue
		case by == "" || len(all) == maxDropped:
			return all, nil
		}
		_, err = l.repo.Git(ctx, nil, "merge-base", "--is-ancestor", line.Commit, "HEAD")
		if git.ExitCode(err) != 1 {
			return all, nil // the branch contains it, or the repository no longer has it
		}
		found, err := l.folder(ctx, dir, "--first-parent", "-m", "--max-count=1", line.Commit)
		if err != nil || len(found) == 0 || found[0].Hash != line.Commit {
			return all, err
		}
		if kept, err := carried(found[0]); kept || err != nil {
			return all, err
		}
		all = append(all, Dropped{Commit: found[0], Branch: on.Branch(), By: by})
	}
	return all, nil
}

// maxDropped is how many commits Dropped returns at most.
const maxDropped = 10

// TouchedSince reports whether HEAD or a branch has a commit that touches one of paths, is not an
// ancestor of base (hex; "" for no commit), and is not older than since. If a partial clone cannot
// tell, the result is true.
func (l Log) TouchedSince(ctx context.Context, base string, since time.Time, paths ...string) (bool, error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return false, err
	}
	args := []string{"rev-list", "--max-count=1", "--ignore-missing", "--since=" + since.Format(time.RFC3339),
		"--branches", head.Hash}
	if base != "" {
		args = append(args, "^"+base)
	}
	out, err := l.repo.Offline().Git(ctx, nil, append(append(args, "--"), paths...)...)
	if err != nil && l.repo.MayLack() {
		return true, nil
	}
	return len(out) > 0, err
}

// onward reports whether an action in a reflog only adds commits to the branch.
func onward(action string) bool {
	switch action {
	case "commit", "commit (initial)", "commit (merge)", "cherry-pick", "revert":
		return true
	}
	return strings.HasPrefix(action, "merge ")
}
