package workspace

import (
	"context"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/result"
)

// OrphanedRemark names the pending refs that no worktree lands; "" for none.
func (p *Workspace) OrphanedRemark(ctx context.Context) (string, error) {
	all, err := p.unknownPending(ctx)
	if err != nil || len(all) == 0 {
		return "", err
	}
	var refs []string
	for _, o := range all {
		refs = append(refs, o.Ref)
	}
	return "pending operations of a worktree that is gone: " + strings.Join(refs, ", ") + " (ckpt doctor)", nil
}

// unknownPending returns the pending refs that no worktree lands by itself.
func (p *Workspace) unknownPending(ctx context.Context) ([]pending.Orphan, error) {
	all, err := pending.Of(p.Repo).Orphans(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	waiting, err := pending.Of(p.Repo).Load(ctx)
	if err != nil {
		return nil, err
	}
	var unknown []pending.Orphan
	for _, o := range all {
		if waiting == nil || o.Ref != waiting.Ref { // else the next operation here lands it
			unknown = append(unknown, o)
		}
	}
	return unknown, nil
}

// Orphans finds pending operations of worktrees that are gone. With fix those that belong
// to the branch checked out here land on it, and so do those whose branch is gone or was
// not written down.
func (p *Workspace) Orphans(ctx context.Context, d *result.Diagnosis, fix bool) error {
	all, err := p.unknownPending(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	on, err := p.Repo.Checkout()
	if err != nil {
		return err
	}
	own, err := p.Repo.Branches().OwnBranch(on)
	if err != nil {
		return err
	}
	for _, o := range all {
		a, here, err := p.orphan(ctx, o, own)
		if err != nil {
			return err
		}
		if here && fix && p.Repo.InProgress() == "" {
			a.Fixed, err = p.landOrphan(ctx, o)
			if err != nil {
				return err
			}
			if !a.Fixed {
				a.Fix = "ckpt save && ckpt doctor --fix" // others wait here, and could not land
			}
		}
		d.Problems = append(d.Problems, a)
	}
	return nil
}

// orphan describes one orphan, and reports whether it lands on own, the branch that is
// checked out.
func (p *Workspace) orphan(ctx context.Context, o pending.Orphan, own string) (a result.Problem, here bool, err error) {
	a = result.Problem{Code: "pending", What: o.Ref + " holds operations of a worktree that is gone",
		Fix: "ckpt doctor --fix"}
	short := func(branch string) string { return strings.TrimPrefix(branch, "refs/heads/") }
	target := short(own)
	if target == "" {
		target = "HEAD"
	}
	if o.Branch == "" {
		a.What += "; it does not name their branch: --fix lands them on " + target
		return a, true, nil
	}
	a.What += ", for " + short(o.Branch)
	if o.Branch == own {
		return a, true, nil
	}
	if exists, err := p.Repo.Branches().Has(ctx, o.Branch); err != nil || !exists {
		a.What += ", which is gone, too: --fix lands them on " + target
		return a, true, err
	}
	a.Fix = "git switch " + short(o.Branch) + " && ckpt doctor --fix"
	if dir, err := p.Repo.Branches().Worktree(ctx, o.Branch); err != nil {
		return a, false, err
	} else if dir != "" {
		a.Fix = "ckpt -C " + dir + " doctor --fix"
	}
	return a, false, nil
}

// landOrphan makes an orphan's operations pending here and lands them; false where others
// still wait here.
func (p *Workspace) landOrphan(ctx context.Context, o pending.Orphan) (bool, error) {
	adopted, err := p.adopt(ctx, o)
	if !adopted || err != nil {
		return false, err
	}
	return true, p.LandNow(ctx)
}

func (p *Workspace) adopt(ctx context.Context, o pending.Orphan) (bool, error) {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return false, err
	}
	defer unlock()
	if waiting, err := pending.Of(p.Repo).Load(ctx); waiting != nil || err != nil {
		return false, err
	}
	return true, pending.Of(p.Repo).Adopt(ctx, o)
}
