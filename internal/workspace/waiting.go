package workspace

import (
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Pending describes and examines the operations of a repository that wait to land.
type Pending struct {
	repo *git.Repo
	land func(context.Context) error // lands those of this worktree
}

// Pending returns the operations that wait to land.
func (p *Workspace) Pending() Pending { return Pending{repo: p.Repo, land: p.LandNow} }

// Remark describes the pending operations of this worktree. It is empty if there are none.
func (p Pending) Remark(ctx context.Context) (string, error) {
	waiting, err := pending.Of(p.repo).Load(ctx)
	if waiting == nil || err != nil {
		return "", err
	}
	all, err := pending.Of(p.repo).Commits(ctx, waiting)
	if err != nil {
		return "", err
	}
	verb := "wait"
	if len(all) == 1 {
		verb = "waits"
	}
	words := text.Count(len(all), "operation") + " " + verb + " in " + waiting.Ref + " since " +
		checkpoint.FormatTime(all[len(all)-1].Time)
	if state := p.repo.InProgress(); state != "" {
		return words + ": a " + state + " is in progress", nil
	}
	if waiting.Branch != "" {
		return words + ": the next operation on " + strings.TrimPrefix(waiting.Branch, "refs/heads/") +
			" lands them (ckpt save)", nil
	}
	return words + ": the next operation lands them (ckpt save)", nil
}

// awaits reports whether the pending operations belong to another branch than the one checked out.
func (p Pending) awaits(ctx context.Context) (bool, error) {
	on, err := p.repo.Checkout()
	if err != nil {
		return false, err
	}
	waiting, err := pending.Of(p.repo).Load(ctx)
	if waiting == nil || err != nil {
		return false, err
	}
	return pending.Of(p.repo).ForOtherBranch(ctx, waiting, on)
}

// Examine finds operations that wait though nothing is in their way.
func (p Pending) Examine(ctx context.Context, d *result.Diagnosis, fix bool) error {
	words, err := p.Remark(ctx)
	if words == "" || err != nil {
		return err
	}
	if awaits, err := p.awaits(ctx); err != nil {
		return err
	} else if awaits || p.repo.InProgress() != "" {
		d.Facts = append(d.Facts, result.Fact{Name: "waiting", Value: words})
		return nil
	}
	words, _, _ = strings.Cut(words, ": ")
	if fix {
		if err := p.land(ctx); err != nil {
			return err
		}
	}
	d.Problems = append(d.Problems, result.Problem{Code: "pending", What: words, Fix: "ckpt save", Fixed: fix})
	return nil
}

// OrphansRemark names the pending refs that no worktree lands; "" for none.
func (p Pending) OrphansRemark(ctx context.Context) (string, error) {
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
func (p Pending) unknownPending(ctx context.Context) ([]pending.Orphan, error) {
	all, err := pending.Of(p.repo).Orphans(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	waiting, err := pending.Of(p.repo).Load(ctx)
	if err != nil {
		return nil, err
	}
	var unknown []pending.Orphan
	for _, o := range all {
		if waiting == nil || o.Ref != waiting.Ref { // otherwise the next operation here lands it
			unknown = append(unknown, o)
		}
	}
	return unknown, nil
}

// ExamineOrphans finds pending operations of worktrees that are gone. With fix those that belong
// to the branch checked out here land on it, and so do those whose branch is gone or was
// not written down.
func (p Pending) ExamineOrphans(ctx context.Context, d *result.Diagnosis, fix bool) error {
	all, err := p.unknownPending(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	on, err := p.repo.Checkout()
	if err != nil {
		return err
	}
	own, err := p.repo.Branches().OwnBranch(on)
	if err != nil {
		return err
	}
	for _, o := range all {
		a, here, err := p.orphan(ctx, o, own)
		if err != nil {
			return err
		}
		if here && fix && p.repo.InProgress() == "" {
			a.Fixed, err = p.landOrphan(ctx, o)
			if err != nil {
				return err
			}
			if !a.Fixed {
				a.Fix = "ckpt save && ckpt doctor --fix" // other operations are pending here and could not land
			}
		}
		d.Problems = append(d.Problems, a)
	}
	return nil
}

// orphan describes one orphan, and reports whether it lands on own, the branch that is
// checked out.
func (p Pending) orphan(ctx context.Context, o pending.Orphan, own string) (a result.Problem, here bool, err error) {
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
	if exists, err := p.repo.Branches().Has(ctx, o.Branch); err != nil || !exists {
		a.What += ", which is gone, too: --fix lands them on " + target
		return a, true, err
	}
	a.Fix = "git switch " + short(o.Branch) + " && ckpt doctor --fix"
	if dir, err := p.repo.Branches().Worktree(ctx, o.Branch); err != nil {
		return a, false, err
	} else if dir != "" {
		a.Fix = "ckpt -C " + dir + " doctor --fix"
	}
	return a, false, nil
}

// landOrphan makes an orphan's operations pending here and lands them. It returns false if other
// operations are still pending here.
func (p Pending) landOrphan(ctx context.Context, o pending.Orphan) (bool, error) {
	adopted, err := p.adopt(ctx, o)
	if !adopted || err != nil {
		return false, err
	}
	return true, p.land(ctx)
}

func (p Pending) adopt(ctx context.Context, o pending.Orphan) (bool, error) {
	unlock, err := p.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return false, err
	}
	defer unlock()
	if waiting, err := pending.Of(p.repo).Load(ctx); waiting != nil || err != nil {
		return false, err
	}
	return true, pending.Of(p.repo).Adopt(ctx, o)
}
