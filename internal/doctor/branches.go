package doctor

import (
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
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
