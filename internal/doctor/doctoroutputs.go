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
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// outputsNamed is how many outputs doctor names one by one.
const outputsNamed = 10

// outputs looks at the long outputs of plans. One that a version in history names stays,
// since ckpt undelete and ckpt restore bring that version back; who wants the room is told
// how. One that nobody names goes with fix: of an operation that was refused, or of a
// branch that is gone.
func (p *Checker) outputs(ctx context.Context, d *result.Diagnosis, fix bool) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive) // nobody keeps an output that he has not named yet
	if err != nil {
		return err
	}
	defer unlock()
	unnamed, err := p.unnamedOutputs(ctx)
	if err != nil || len(unnamed) == 0 {
		return err
	}
	fact := func(k git.BlobRef, what string) {
		id, _, _ := strings.Cut(strings.TrimPrefix(k.Ref, planner.OutputRefs), "/")
		d.Facts = append(d.Facts, result.Fact{Name: "output", Value: fmt.Sprintf("of %s, %d bytes, %s (%s)", id, k.Size, what, k.DropCommand())})
	}
	said, err := log.Of(p.Repo).GrepHistory(ctx, plan.BlobMark)
	if err != nil {
		for _, k := range unnamed[:min(len(unnamed), outputsNamed)] {
			fact(k, "which no checkpoint names; "+err.Error())
		}
		return nil
	}
	inHistory := plan.Blobs(string(said))
	var gone []git.BlobRef
	told := 0
	for _, k := range unnamed {
		switch told++; {
		case !slices.Contains(inHistory, k.Name):
			gone = append(gone, k)
		case told <= outputsNamed:
			fact(k, "which only history names")
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if fix {
		if err := p.Repo.Objects().DeleteRefs(ctx, gone); err != nil {
			return err
		}
	}
	d.Ailments = append(d.Ailments, result.Ailment{
		Code: "outputs", What: text.Count(len(gone), "output") + " of plans that no checkpoint names, in no version", Fix: "ckpt doctor --fix", Mended: fix,
	})
	return nil
}

// unnamedOutputs are the outputs that no checkpoint of any working tree names.
func (p *Checker) unnamedOutputs(ctx context.Context) ([]git.BlobRef, error) {
	all, err := p.Repo.Objects().BlobRefs(ctx, planner.OutputRefs)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	roots, err := p.Repo.Branches().Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	stores := []*store.Store{p.Store}
	for _, root := range roots {
		stores = append(stores, &store.Store{Dir: filepath.Join(root, filepath.FromSlash(p.Prefix))})
	}
	holds := func(src []byte) bool { return strings.Contains(string(src), plan.BlobMark) }
	for _, s := range stores {
		named, _, err := store.Where(s, store.All, holds, func(_ string, src []byte, _ *checkpoint.Checkpoint, _ error) []string {
			return plan.Blobs(string(src))
		})
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(k git.BlobRef) bool { return slices.Contains(slices.Concat(named...), k.Name) })
	}
	return all, nil
}
