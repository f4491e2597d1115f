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

// Dropped is a commit of ckpt's that its branch has lost, or that was made on a detached HEAD
// and that no branch contains.
type Dropped struct {
	Commit
	Branch string
	By     string // what moved the branch, as the reflog has it: "rebase (abort)"
}

// Dropped returns ckpt's newest commits on the branch that is checked out, or on a detached
// HEAD, the newest first, down to one that the branch contains or whose text was carried along.
// A rebase that is given up, or a reset, puts a branch back to where it was when git read it,
// which may be before a commit of ckpt's. The commits in own, which the caller has just made,
// are skipped.
//
// Their files are those below dir. Dropped reads the end of HEAD's reflog; git runs only if
// something other than a new commit has moved HEAD since.
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
			continue // another branch's
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
			return all, nil // it is one, or is not in the repository any more
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

// TouchedSince reports whether HEAD or a branch has a commit that is neither an ancestor of
// base (hex; "" for no commit) nor older than since, and that touches one of paths. It is true
// if a partial clone cannot tell.
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

// onward reports whether an action of a reflog only adds to what the branch contains.
func onward(action string) bool {
	switch action {
	case "commit", "commit (initial)", "commit (merge)", "cherry-pick", "revert":
		return true
	}
	return strings.HasPrefix(action, "merge ")
}
