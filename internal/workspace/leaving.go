package workspace

import (
	"context"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
)

// afterLeaving makes an operation pending that HEAD has left while it was made: git is in
// the middle of something, or HEAD is on another branch or detached.
func (p *Workspace) afterLeaving(ctx context.Context, on git.Checkout, o *Tx, policy policy.Config, now time.Time,
	receipt *result.Receipt) error {
	s, err := p.LoadState(ctx)
	if err != nil {
		return err
	}
	if s.Why == "" {
		if on.Branch() == "" || s.on.Branch() == on.Branch() {
			return git.ErrMoved // it was on no branch, or is back
		}
		s.Why, s.branch = "HEAD left "+on.Branch(), "refs/heads/"+on.Branch()
		if s.others != nil && s.others.Branch == s.branch {
			s.Pending, s.others = s.others, nil
			if err := p.MergePending(ctx, s); err != nil {
				return err
			}
		}
	}
	return p.wait(ctx, s, o, policy, now, receipt)
}

// keepFromGit makes an operation pending too that is committed already, if git has begun
// something that will put the branch back to a commit without it: a rebase reads the
// branch some time before it shows. Where the commit stays, landing changes nothing.
func (p *Workspace) keepFromGit(ctx context.Context, o *Tx, policy policy.Config, now time.Time,
	receipt *result.Receipt) {
	if p.Repo.InProgress() == "" {
		return
	}
	origin, err := p.Repo.Branches().Origin(ctx)
	if err != nil || origin == "" || origin == receipt.Commit {
		return
	}
	s, err := p.LoadState(ctx)
	if err == nil {
		err = p.wait(ctx, s, o, policy, now, receipt)
	}
	if err != nil {
		receipt.Remarks = append(receipt.Remarks,
			"committed; what git is in the middle of may take the commit away: "+err.Error())
	}
}
