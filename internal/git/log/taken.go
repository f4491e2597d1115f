package log

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

// The trailers that tie the checkpoint ref and the branches of the code.
const (
	historyTrailer = "Checkpoint-History" // on the ref: the commit of a branch whose history goes on behind this one
	refTrailer     = "Checkpoint-Ref"     // on a branch: the commit of the ref of which several operations are published
)

// history returns the ancestors of a commit that touched files below dir. A commit of the ref that
// took in what a branch had is replaced by the history of that branch, without the copies of what the ref
// has itself. The ancestors of unseen ("" for none), which the ref has not taken in yet, count, too.
func (l Log) history(ctx context.Context, dir, from, unseen string, options ...string) ([]Commit, error) {
	all, err := l.folder(ctx, dir, append(slices.Clone(options), from)...)
	if err != nil {
		return nil, err
	}
	var taken []string
	known := map[operation]bool{}
	own := slices.DeleteFunc(all, func(c Commit) bool {
		known[operationOf(c)] = true
		taken = append(taken, c.TookIn()...)
		return len(c.TookIn()) > 0
	})
	if unseen != "" {
		taken = append(taken, unseen)
	}
	if len(taken) == 0 {
		return own, nil
	}
	of, err := l.folder(ctx, dir, append(append(slices.Clone(options), "--ignore-missing"), taken...)...)
	if err != nil {
		return nil, err
	}
	of = slices.DeleteFunc(of, func(c Commit) bool {
		return known[operationOf(c)] || slices.ContainsFunc(c.Publishes(), func(name string) bool {
			return l.HasCommit(ctx, name)
		})
	})
	for i := range of {
		of[i].Taken = true
	}
	var both []Commit
	for len(own) > 0 && len(of) > 0 {
		at, here := of[0].Time, own[0].Time
		if at.After(here) || at.Equal(here) && unseen != "" {
			both, of = append(both, of[0]), of[1:]
		} else {
			both, own = append(both, own[0]), own[1:]
		}
	}
	return slices.Concat(both, own, of), nil
}

// unseen returns the commit that is checked out if the checkpoint ref has not taken in what it has, and its
// history takes its place; "" otherwise.
func (l Log) unseen() string {
	head, err := git.CheckedOut(l.repo)
	if err != nil || head == "" {
		return ""
	}
	src, err := disk.ReadFile(filepath.Join(l.repo.CommonDir(), "ckpt", "heads"))
	if err != nil || strings.Contains(string(src), head) {
		return ""
	}
	return head
}

// operation is what the commit of an operation on the ref and its copy on a branch have in common, also after
// a rebase.
type operation struct {
	subject, email string
	at             int64
}

func operationOf(c Commit) operation {
	return operation{subject: c.Subject, email: c.Email, at: c.authored}
}
