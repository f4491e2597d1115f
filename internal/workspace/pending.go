package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/policy"
)

// maxPending is the maximal size of a pending operation in bytes.
const maxPending = disk.MaxFile

// wait adds an operation to the pending ref, after those that are there. The working tree, the
// index and the branch do not change.
func (a *applying) wait(ctx context.Context, s *View) error {
	p, o := a.w, a.tx
	if size := o.Files.Size(); size > maxPending {
		return fault.New(fault.Unsupported, "%s: an operation of %d MiB cannot wait for its end, %d MiB is the limit", s.Why,
			size>>20, maxPending>>20).WithHint("git status")
	}
	if s.others != nil {
		branch := strings.TrimPrefix(s.others.Branch, "refs/heads/")
		return fault.New(fault.Busy, "%s, and pending operations belong to %s", s.Why, branch).
			WithHint("finish it; then git switch %s and ckpt save", branch)
	}
	files, err := toWait(s, o)
	if err != nil {
		return err
	}
	own, err := p.Repo.Branches().OwnBranch(s.on)
	if err != nil {
		return err
	}
	lands, branch := "lands with the next operation", s.branch
	if branch == "" && s.Pending != nil {
		branch = s.Pending.Branch
	}
	if branch != "" {
		lands += " on " + strings.TrimPrefix(branch, "refs/heads/")
	}
	if err := pending.Of(p.Repo).
		Append(ctx, s.Pending, branch, files, pendingMessage(a.cfg, o, cmp.Or(branch, own)), a.now); err != nil {
		return err
	}
	a.receipt.Pending = fmt.Sprintf("%s: kept in %s, %s", s.Why, pending.Of(p.Repo).Name(), lands)
	return nil
}

// pendingMessage returns the message of a pending operation that belongs to a branch.
func pendingMessage(policy policy.Config, o *Tx, branch string) string {
	text := Message(policy, o)
	if branch != "" {
		text += pending.BranchTrailer + ": " + branch + "\n"
	}
	return text
}

// signerSlow is the reason why a change is pending if its commit could not be signed.
const signerSlow = "the signer did not answer in time"

// toWait returns all pending changes including those of o. The files that o found are those of the
// overlay.
func toWait(s *View, o *Tx) ([]pending.File, error) {
	was := map[string]pending.File{}
	if s.Pending != nil {
		for _, f := range s.Pending.Files {
			was[f.Path] = f
		}
	}
	next := map[string]pending.File{}
	for _, f := range s.Merged {
		held := pending.File{Path: s.FromRoot(f.Path), Base: f.Before, Seen: f.Before, Now: f.After}
		if old, ok := was[held.Path]; ok && change.Same(f.Before, old.Seen) {
			held.Base = old.Base // the file is as the pending operation found it
		}
		next[held.Path] = held
	}
	for _, f := range o.Files.Files {
		path := s.FromRoot(f.Path)
		held, ok := next[path]
		if !ok {
			held = pending.File{Path: path, Base: f.Before, Seen: f.Before}
		}
		if o.Mode == Save { // f.Before is the content in the last commit; the file has edits
			src, err := s.Store.OnDisk(f.Path)
			if err != nil {
				return nil, err
			}
			held.Base, held.Seen = f.Before, src
		}
		held.Now = f.After
		next[path] = held
	}
	for _, f := range s.stuck {
		next[f.Path] = f
	}
	var files []pending.File
	for _, f := range next {
		if !change.Same(f.Base, f.Now) || !change.Same(f.Seen, f.Now) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b pending.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// writable refuses to write files without a commit, as --no-commit does, where the working
// tree does not have what the transaction found.
func (a *applying) writable() error {
	for _, f := range a.tx.Files.Files {
		if a.view.Store.IsPending(f.Path) {
			return fault.New(fault.Refused, "%s: the working tree does not hold %s as it is to be", a.view.Why,
				a.view.FromRoot(f.Path)).WithHint("without --no-commit it is kept in %s", pending.Of(a.w.Repo).Name())
		}
	}
	return nil
}

// afterLeaving makes an operation pending if HEAD has left its branch meanwhile: git has begun a
// merge or the like, or HEAD is on another branch or detached.
func (a *applying) afterLeaving(ctx context.Context) error {
	on := a.view.on
	s, err := a.w.Load(ctx)
	if err != nil {
		return err
	}
	if s.Why == "" {
		if on.Branch() == "" || s.on.Branch() == on.Branch() {
			return git.ErrMoved // HEAD was on no branch, or is back on it
		}
		left := "refs/heads/" + on.Branch()
		if s.others != nil && s.others.Branch == left {
			s, err = s.WithPending(ctx, s.others)
			if err != nil {
				return err
			}
		}
		s = s.because("HEAD left " + on.Branch())
		s.branch = left
	}
	return a.wait(ctx, s)
}

// keepFromGit makes an operation pending although it is committed, if git has begun a command that
// will move the branch back to a commit without it: a rebase reads the branch some time before ckpt
// can detect the rebase. If the commit stays on the branch, landing the pending operation changes
// nothing.
func (a *applying) keepFromGit(ctx context.Context) {
	p := a.w
	if p.Repo.InProgress() == "" {
		return
	}
	origin, err := p.Repo.Branches().Origin(ctx)
	if err != nil || origin == "" || origin == a.receipt.Commit {
		return
	}
	s, err := p.Load(ctx)
	if err == nil {
		err = a.wait(ctx, s)
	}
	if err != nil {
		a.receipt.Remarks = append(a.receipt.Remarks,
			"committed; what git is in the middle of may take the commit away: "+err.Error())
	}
}
