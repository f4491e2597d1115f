// Package reftip finds the commit of the checkpoint ref, and restores operations that another program took off the
// ref.
//
// A user who deletes or moves the ref, by git update-ref or by git fetch with another refspec, does not delete
// checkpoints. The state file of each worktree names a commit with the worktree's own operations.
package reftip

import (
	"cmp"
	"context"
	"fmt"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/sync/refmerge"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/checkout"
)

// Finder finds the commit of the ref for a worktree.
type Finder struct {
	checkout.Branch

	Moves  bool   // the ref is missing, or lacks operations of this worktree, and Find could not move it
	Remark string // tells people that operations were restored; usually empty
}

// Find returns the commit of the ref. If the ref lacks operations of this worktree and the process has the
// exclusive lock, Find first moves the ref to a commit that has them.
func (m *Finder) Find(ctx context.Context) (string, error) {
	tip, failed := m.Ref.Tip(ctx)
	s, err := m.Load()
	if err := cmp.Or(failed, err); err != nil {
		return "", err
	}
	was := m.Tip(s)
	m.Moves = tip == ""
	if was == "" || was == tip || !log.Of(m.Repo).HasCommit(was) {
		return tip, nil
	}
	if tip == "" { // the checkpoints may be nowhere else
		return m.move(ctx, "", was, "ckpt: make the ref again")
	}
	return m.rejoin(ctx, was, tip)
}

// rejoin merges was, the commit that this worktree had, with that of the ref, unless the ref contains it.
func (m *Finder) rejoin(ctx context.Context, was, tip string) (string, error) {
	repo := m.Repo
	if !log.Of(repo).HasCommit(tip) {
		return "", m.Broken(ctx, tip)
	}
	if object.Descends(repo.Objects().Database(), tip, was) { // the usual case: tip is a few commits ahead
		return tip, nil
	}
	has, err := log.Of(repo).Contains(ctx, tip, was)
	if has || err != nil {
		return tip, err
	}
	base, err := log.Of(repo).MergeBase(ctx, tip, was)
	if err != nil {
		return "", err
	}
	if base == "" {
		return "", fault.New(fault.Refused, "%s names the commit %s, which is not one of checkpoints", m.Ref.Name(), tip).
			WithHint("git update-ref %s %s, which it had before", m.Ref.Name(), was)
	}
	m.Moves = true
	if !repo.Locked() {
		return tip, nil
	}
	lost, err := m.Ref.Operations(ctx, tip, was)
	if err != nil {
		return "", err
	}
	to := was
	if base != tip {
		to, _, err = refmerge.Merger{Repo: repo, Ref: m.Ref, Prefix: m.Prefix}.Merge(ctx, base, tip, was)
		if err != nil {
			return "", err
		}
	}
	to, err = m.move(ctx, tip, to, "ckpt: put the operations of a worktree on the ref again")
	if err == nil {
		m.Remark = fmt.Sprintf("another program moved %s: ckpt put %s of this worktree back",
			m.Ref.Name(), text.Count(lost, "operation"))
	}
	return to, err
}

// move moves the ref, if this process has the exclusive lock. In any case it returns the new commit.
func (m *Finder) move(ctx context.Context, from, to, why string) (string, error) {
	if !m.Repo.Locked() {
		return to, nil
	}
	err := m.Ref.Move(ctx, to, from, why)
	m.Moves = err != nil
	return to, err
}

// Broken returns the error for a ref whose commit is not in the repository. The hint names the newest
// commit of the reflog that is complete.
func (m *Finder) Broken(ctx context.Context, tip string) error {
	repo, name := m.Repo, m.Ref.Name()
	err := fault.New(fault.Failed, "%s names the commit %s, which this repository does not have", name, tip)
	commits, failed := repo.Refs().Log(ctx, name)
	if failed != nil {
		return err
	}
	for _, commit := range commits {
		if commit == tip {
			continue
		}
		_, failed := repo.Offline().Git(ctx, nil, "rev-list", "--quiet", "--objects", commit)
		if failed == nil {
			return err.WithHint("git update-ref %s %s is the newest version that is complete; the files keep what they have",
				name, commit)
		}
	}
	return err.WithHint("git update-ref -d %s, then ckpt save: the files keep what they have", name)
}
