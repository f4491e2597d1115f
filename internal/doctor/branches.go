package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// branchFacts is the maximal number of branches that doctor names.
const branchFacts = 20

// checkBranches names the branches that have checkpoints or learnings that no other branch has.
// That is normal for a branch under work, so it is reported as a fact and not as a problem: it
// tells what would be lost with the branch.
func (p *Checker) checkBranches(ctx context.Context, d *result.Diagnosis) error {
	fact := func(value string) { d.Facts = append(d.Facts, result.Fact{Name: "other branches", Value: value}) }
	s, err := p.others.Survey(ctx, others.FewBranches, nil)
	if err != nil {
		fact("not read: " + text.FirstLine(err.Error()))
		return nil
	}
	if s.Found == nil {
		fact(fmt.Sprintf("%d were not read (ckpt list --all --everywhere)", s.Unread))
		return nil
	}
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	set := view.Set
	blobs := map[string]string{}
	for _, c := range set.All {
		blobs[c.ID] = git.BlobHash(c.Doc.Bytes())
	}
	knows, err := p.others.Knows(ctx, s.Found)
	if err != nil {
		return err
	}
	has := func(v branches.Version) bool { return blobs[v.ID] != "" || others.HasFileOf(view, v) }
	same := func(v branches.Version) bool { return blobs[v.ID] == v.Blob }
	all := s.Sole(has, same, knows)
	for i, h := range all {
		if i == branchFacts {
			fact(fmt.Sprintf("%d more have something that no other has", len(all)-i))
			break
		}
		fact(p.others.Location([]branches.Branch{h.Branch}).String() + " has " + holds(h) + " that no other branch has")
	}
	return nil
}

// checkMigrated names the branches that have got checkpoints since these are on a ref of their own.
func (p *Checker) checkMigrated(ctx context.Context, d *result.Diagnosis) error {
	behind, err := p.behind(ctx)
	if err != nil {
		d.Facts = append(d.Facts, result.Fact{Name: "old branches", Value: "not read: " + text.FirstLine(err.Error())})
		return nil
	}
	for _, name := range behind {
		d.Problems = append(d.Problems, result.Problem{
			Code: "old-branch", What: name + " has changes of checkpoints that the checkpoint ref does not have",
			Fix: "ckpt migrate --to ref",
		})
	}
	return nil
}

// holds describes what a branch contains: "2 checkpoints and 1 learning".
func holds(h branches.Holding) string {
	var what []string
	for _, c := range []struct {
		n    int
		what string
	}{{h.Checkpoints, "checkpoint"}, {h.Versions, "version of a checkpoint"}, {h.Learnings, "learning"}} {
		if c.n > 0 {
			what = append(what, text.Count(c.n, c.what))
		}
	}
	if n := len(what); n > 1 {
		return strings.Join(what[:n-1], ", ") + " and " + what[n-1]
	}
	return strings.Join(what, "")
}

// outputsNamed is the maximal number of outputs that doctor names one by one.
const outputsNamed = 10

// checkOutputs examines the long outputs of plans, which are stored as blobs. An output that a
// version of a checkpoint in history names is kept, since ckpt undelete and ckpt restore may
// restore that version; a fact tells how to remove it. An output that no version names, such as
// that of an operation that was refused, or of a deleted branch, is a problem.
func (p *Checker) checkOutputs(ctx context.Context, d *result.Diagnosis) error {
	return p.withOutputs(ctx, func(inHistory, gone []git.BlobRef, unknown error) error {
		what := "which only history names"
		if unknown != nil {
			what = "which no checkpoint names; " + unknown.Error()
		}
		for _, k := range inHistory {
			id, _, _ := strings.Cut(strings.TrimPrefix(k.Ref, planner.OutputRefs), "/")
			d.Facts = append(d.Facts,
				result.Fact{Name: "output", Value: fmt.Sprintf("of %s, %d bytes, %s (%s)", id, k.Size, what, k.DropCommand())})
		}
		if len(gone) > 0 {
			d.Problems = append(d.Problems, result.Problem{Code: "outputs", Fix: byDoctor,
				What: text.Count(len(gone), "output") + " of plans that no checkpoint names, in no version"})
		}
		return nil
	})
}

func (p *Checker) deleteOutputs(ctx context.Context) error {
	return p.withOutputs(ctx, func(_, gone []git.BlobRef, _ error) error {
		return p.repo.Objects().DeleteRefs(ctx, gone)
	})
}

// withOutputs calls do with the first outputs that only a version in history names, and with
// those that no version names. If history cannot be searched, unknown is the reason, and do gets
// the first outputs that no checkpoint names. If every output is named, do is not called. The lock
// prevents that another ckpt has stored an output that it has not named yet.
func (p *Checker) withOutputs(ctx context.Context,
	do func(inHistory, gone []git.BlobRef, unknown error) error) error {
	unlock, err := p.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	unnamed, err := p.unnamedOutputs(ctx)
	if err != nil || len(unnamed) == 0 {
		return err
	}
	first := unnamed[:min(len(unnamed), outputsNamed)]
	said, err := log.Of(p.repo).GrepHistory(ctx, plan.BlobMark)
	if err != nil {
		return do(first, nil, err)
	}
	named := plan.Blobs(string(said))
	isGone := func(k git.BlobRef) bool { return !slices.Contains(named, k.Name) }
	gone := slices.DeleteFunc(slices.Clone(unnamed), func(k git.BlobRef) bool { return !isGone(k) })
	return do(slices.DeleteFunc(slices.Clone(first), isGone), gone, nil)
}

// unnamedOutputs returns the outputs that no checkpoint of any working tree names; none while a
// checkpoint cannot be read.
func (p *Checker) unnamedOutputs(ctx context.Context) ([]git.BlobRef, error) {
	all, err := p.repo.Objects().BlobRefs(ctx, planner.OutputRefs)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	roots, err := p.repo.Branches().Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	stores := []*store.Store{view.Store}
	for _, root := range roots {
		for _, folder := range []string{p.prefix, checkout.Apart(p.prefix)} {
			stores = append(stores, &store.Store{Dir: filepath.Join(root, filepath.FromSlash(folder))})
		}
	}
	holds := func(src []byte) bool { return strings.Contains(string(src), plan.BlobMark) }
	for _, s := range stores {
		byFile, unread, err := store.Where(s, store.All, holds,
			func(_ string, src []byte, _ *checkpoint.Checkpoint, _ error) []string {
				return plan.Blobs(string(src))
			})
		if err != nil || len(unread) > 0 { // a file that cannot be read may name any of them
			return nil, err
		}
		named := slices.Concat(byFile...)
		all = slices.DeleteFunc(all, func(k git.BlobRef) bool { return slices.Contains(named, k.Name) })
	}
	return all, nil
}
