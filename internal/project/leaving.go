package project

import (
	"context"
	"time"

	"example.com/ckpt/internal/core/config"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/git"
)

// afterLeaving makes the change where HEAD has left what was checked out when the
// operation began: pending while git is in the middle of something, else on that branch,
// without a working tree.
func (p *Project) afterLeaving(ctx context.Context, on git.Checkout, o *operation, policy config.Config, now time.Time, receipt *report.Receipt) error {
	s, err := p.look(ctx)
	if err != nil {
		return err
	}
	if s.why != "" {
		return p.wait(ctx, s, o, policy, now, receipt)
	}
	draft, err := p.Repo.PrepareAside(ctx, on, o.files.Under(p.prefix), message(policy, o), now)
	if err != nil {
		return err
	}
	if receipt.Commit, err = draft.Land(ctx); err != nil {
		return err
	}
	receipt.Remarks = append(receipt.Remarks, "HEAD left "+on.Branch()+" meanwhile: the commit is on "+on.Branch()+", the files are not checked out")
	return nil
}

// keepFromGit makes an operation pending too that is committed already, if git has begun
// something that will put the branch back to a commit without it: a rebase reads the
// branch some time before it shows. Where the commit stays, landing changes nothing.
func (p *Project) keepFromGit(ctx context.Context, o *operation, policy config.Config, now time.Time, receipt *report.Receipt) {
	if p.Repo.InProgress() == "" {
		return
	}
	origin, err := p.Repo.Origin(ctx)
	if err != nil || origin == "" || origin == receipt.Commit {
		return
	}
	s, err := p.look(ctx)
	if err == nil {
		err = p.wait(ctx, s, o, policy, now, receipt)
	}
	if err != nil {
		receipt.Remarks = append(receipt.Remarks, "committed; what git is in the middle of may take the commit away: "+err.Error())
	}
}
