package log

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/text"
)

// Files selects files below a folder.
type Files struct {
	Dir string // a slash path from the root
	// Names are file names, or ends of paths, at any depth below Dir: only these files count. None means all files. A
	// commit that [Log.History] finds by Names lists all its changed files below Dir.
	Names []string
}

// History returns the commits that touched the files, no commit before one of its descendants. It searches HEAD,
// others, the commits of branches that the checkpoint ref has taken in or has yet to take in, and the ancestors of all
// these.
func (l Log) History(ctx context.Context, of Files, others ...string) ([]Commit, error) {
	head, err := l.repo.Head()
	if err != nil {
		return nil, err
	}
	unseen, _, err := l.unseen()
	if err != nil {
		return nil, err
	}
	return l.historyOf(ctx, of, head.Hash, slices.Concat(others, []string{unseen})...)
}

// Last returns the newest commit that touched one of the files. It searches the commits that the revisions and options
// of git log in the argument commits select. A merge in which the files are the same as in one of its parents does not
// count. Ok reports whether there is such a commit.
func (l Log) Last(ctx context.Context, of Files, commits ...string) (c Commit, ok bool, err error) {
	last, err := l.folder(ctx, of, append([]string{"--max-count=1", "-c"}, commits...)...)
	if err != nil || len(last) == 0 {
		return c, false, err
	}
	return last[0], true, nil
}

// historyOf returns the commits that touched the files in three histories: that of tip, which is on the checkpoint ref;
// that of others; that of the commits of branches that the ref has taken in and the clone has. It sets Branch and Copy.
func (l Log) historyOf(ctx context.Context, of Files, tip string, others ...string) ([]Commit, error) {
	ref, err := l.lines(ctx, of, tip)
	own, onRef := map[Operation]bool{}, map[string]bool{tip: true, "": true}
	from := slices.Clone(others)
	for _, c := range ref {
		own[c.Operation()], onRef[c.Hash] = true, true
		from = append(from, c.TookIn()...)
	}
	from = slices.DeleteFunc(from, func(commit string) bool { return onRef[commit] })
	if err != nil || len(from) == 0 {
		return ref, err
	}
	branches, err := l.lines(ctx, of, from...)
	branches = slices.DeleteFunc(branches, func(c Commit) bool { return onRef[c.Hash] })
	for i, c := range branches {
		published := slices.ContainsFunc(c.Trailers[refTrailer], func(commit string) bool { return onRef[commit] })
		branches[i].Branch, branches[i].Copy = true, own[c.Operation()] || published
	}
	return merged(ref, branches), err
}

// merged merges the commits of the ref with those of branches by time, the newest first, and keeps the order within
// each list. A copy counts as newer than its operation. Among commits of the same second, a commit of a branch counts
// as older than the commit that takes it in, and as older than operations whose copies follow it on the branch.
func merged(ref, branches []Commit) []Commit {
	left, copies := map[Operation]int{}, map[Operation]int{} // by operation, the numbers of commits and copies to come
	for _, c := range ref {
		left[c.Operation()]++
	}
	place := map[string]int{}
	for i, c := range branches {
		place[c.Hash] = i
		if c.Copy {
			copies[c.Operation()]++
		}
	}
	var all []Commit             // the oldest first
	ahead := map[Operation]int{} // how many commits of an operation await their copies
	i, k := len(ref)-1, len(branches)-1
	for i >= 0 && k >= 0 {
		a, b := ref[i], branches[k]
		op := b.Operation()
		isCopy, takesRef := copies[op] > 0, a.Time.Before(b.Time)
		switch {
		case isCopy:
			takesRef = ahead[op] == 0 && left[op] > 0
		case a.Time.Equal(b.Time):
			isLeft := func(commit string) bool {
				at, listed := place[commit]
				return listed && at <= k
			}
			follows := func(c Commit) bool { return copies[c.Operation()] > 0 || slices.ContainsFunc(c.TookIn(), isLeft) }
			takesRef = !slices.ContainsFunc(ref[:i+1], follows)
		}
		if takesRef {
			all, i = append(all, a), i-1
			left[a.Operation()]--
			ahead[a.Operation()]++
			continue
		}
		all, k = append(all, b), k-1
		if isCopy {
			copies[op]--
			ahead[op] = max(0, ahead[op]-1)
		}
	}
	slices.Reverse(all)
	return slices.Concat(branches[:k+1], ref[:i+1], all)
}

// unseen returns the commit that is checked out, if the checkpoint ref has yet to take it in, and the commits that the
// ref has taken in. Head is "" if the ref has taken it in, or while a rebase or the like is in progress.
func (l Log) unseen() (head string, seen []string, err error) {
	if state := l.repo.InProgress(); state != "" && state != "bisect" && state != "merge" {
		return "", nil, nil
	}
	head, err = git.CheckedOut(l.repo)
	if head == "" || err != nil {
		return "", nil, err
	}
	src, err := disk.ReadFile(filepath.Join(l.repo.CommonDir(), "ckpt", "branches"))
	if err != nil || strings.Contains(string(src), head) {
		return "", nil, nil
	}
	return head, hashes.Get().FindAllString(string(src), -1), nil
}

var hashes = text.Regexp(`\b[0-9a-f]{40,64}\b`)

// lines returns the commits that touched the files among from and their ancestors. Merges that took one side unchanged
// count, because they may have dropped what the other side had.
func (l Log) lines(ctx context.Context, of Files, from ...string) ([]Commit, error) {
	if from[0] == "" {
		return nil, nil
	}
	options := []string{"--full-history", "--date-order", "-m", "--ignore-missing"}
	if len(of.Names) > 0 {
		options = append(options, "--full-diff")
	}
	return l.folder(ctx, of, append(options, from...)...)
}

// Operation identifies an operation: its commit on the ref and its copies on branches have the same value, also
// after a rebase.
type Operation struct {
	subject, author, email string
	at                     int64
}

// IsOperation reports whether a commit makes or publishes operations of ckpt, the last of which is not one of others.
func (c Commit) IsOperation(others ...string) bool {
	ops := c.Trailers["Checkpoint-Op"]
	return len(ops) > 0 && !slices.Contains(others, ops[len(ops)-1])
}

// Operation returns the operation that a commit makes or publishes.
func (c Commit) Operation() Operation {
	return Operation{subject: c.Subject, author: c.Author, email: c.Email, at: c.Authored}
}

// IsOwn reports whether git commit made a version of a file below dir in this worktree: the one in commit c, or the one
// from which a rebase made it. In the reflog of HEAD an entry that git commit wrote begins with "commit".
func (l Log) IsOwn(ctx context.Context, dir, file string, c Commit) bool {
	at := slices.IndexFunc(c.Files, func(f FileChange) bool { return f.Path == file })
	own, _ := l.folder(ctx, Files{Dir: dir}, "--walk-reflogs", "--basic-regexp", "--grep-reflog=^commit", "-100")
	return slices.ContainsFunc(own, func(made Commit) bool {
		isSame := func(f FileChange) bool { return at >= 0 && f.Path == file && f.After == c.Files[at].After }
		return made.Operation() == c.Operation() || slices.ContainsFunc(made.Files, isSame)
	})
}
