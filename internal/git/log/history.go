package log

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

// Files selects files below a folder.
type Files struct {
	Dir string // a slash path from the root
	// Names, or paths below the folder, of the files that count, at whatever place below it. None means all files. Of
	// a commit that touched one of them, all files below the folder are listed.
	Names []string
}

// History returns the commits that touched files on every line: those of HEAD, of what the checkpoint ref has taken in
// from branches and of what it has yet to take in, and of others. None comes before a descendant.
func (l Log) History(ctx context.Context, of Files, others ...string) ([]Commit, error) {
	tip, err := l.repo.Branches().OwnCommit(ctx)
	if err != nil {
		return nil, err
	}
	unseen, err := l.unseen()
	if err != nil {
		return nil, err
	}
	return l.historyOf(ctx, of, tip, slices.Concat(others, []string{unseen})...)
}

// Known returns the history of a commit. The history of a copy on a branch is also that of the operations that it
// publishes.
func (l Log) Known(ctx context.Context, of Files, commit string) ([]Commit, error) {
	commits, err := l.historyOf(ctx, of, commit)
	if err != nil {
		return nil, err
	}
	var published []string
	for _, c := range commits {
		published = append(published, c.Trailers[refTrailer]...)
	}
	if len(published) == 0 {
		return commits, nil
	}
	return l.historyOf(ctx, of, commit, published...)
}

// Last returns the newest ancestor of a commit, or the commit itself, that touched one of some files. A merge that has
// them as one of its parents has not. If there is none, ok is false.
func (l Log) Last(ctx context.Context, of Files, commit string) (c Commit, ok bool, err error) {
	commits, err := l.folder(ctx, of, "--max-count=1", "-c", commit)
	if err != nil || len(commits) == 0 {
		return c, false, err
	}
	return commits[0], true, nil
}

// historyOf returns the history of a commit of the checkpoint ref, with that of others, and of what the ref has taken
// in from branches. It marks the copies of operations on branches. A clone may lack commits that were taken in.
func (l Log) historyOf(ctx context.Context, of Files, tip string, others ...string) ([]Commit, error) {
	all, err := l.lines(ctx, of, tip)
	own, onRef := map[Operation]bool{}, map[string]bool{tip: true, "": true}
	var taken []string
	for _, c := range all {
		own[c.Operation()], onRef[c.Hash] = true, true
		taken = append(taken, c.TookIn()...)
	}
	known := maps.Clone(onRef)
	for i, from := range [][]string{taken, others} {
		from = slices.DeleteFunc(slices.Clone(from), func(commit string) bool { return known[commit] })
		if err != nil || len(from) == 0 {
			continue
		}
		var branches []Commit
		branches, err = l.lines(ctx, of, from...)
		branches = slices.DeleteFunc(branches, func(c Commit) bool { return known[c.Hash] })
		for i, c := range branches {
			published := slices.ContainsFunc(c.Trailers[refTrailer], func(commit string) bool { return onRef[commit] })
			branches[i].Branch, branches[i].Copy = true, own[c.Operation()] || published
			known[c.Hash] = true
		}
		all = merged(all, branches, i == 0)
	}
	return all, err
}

// merged merges the commits of the ref with those of branches. Of one second, those of branches are newer; if the ref
// has taken them in, they are older than the commit that has done so.
func merged(ref, branches []Commit, taken bool) []Commit {
	var all []Commit
	for len(ref) > 0 && len(branches) > 0 {
		a, b := ref[len(ref)-1], branches[len(branches)-1] // the oldest
		takes := taken && len(a.TookIn()) > 0
		if a.Time.Before(b.Time) || a.Time.Equal(b.Time) && !takes {
			all, ref = append(all, a), ref[:len(ref)-1]
		} else {
			all, branches = append(all, b), branches[:len(branches)-1]
		}
	}
	slices.Reverse(all)
	return slices.Concat(branches, ref, all)
}

// unseen returns the commit that is checked out if the checkpoint ref has not taken in yet what it and its
// ancestors have; otherwise "".
func (l Log) unseen() (string, error) {
	if state := l.repo.InProgress(); state != "" && state != "bisect" {
		return "", nil
	}
	head, err := git.CheckedOut(l.repo)
	if head == "" || err != nil {
		return "", err
	}
	src, err := disk.ReadFile(filepath.Join(l.repo.CommonDir(), "ckpt", "branches"))
	if err != nil || strings.Contains(string(src), head) {
		return "", nil
	}
	return head, nil
}

// lines returns the history of commits. Merges that took one side unchanged count, since what the other side had may
// be lost in them.
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

// Operation is what the commit of an operation on the ref and its copy on a branch have in common, also after
// a rebase.
type Operation struct {
	subject, email string
	at             int64
}

// Operation returns the operation that a commit makes or publishes.
func (c Commit) Operation() Operation {
	return Operation{subject: c.Subject, email: c.Email, at: c.authored}
}
