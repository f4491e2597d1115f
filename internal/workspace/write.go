package workspace

import (
	"context"
	"slices"

	"example.com/ckpt/internal/disk"
)

// writeMerged writes and stages the files of a resolve during a merge.
func (a *applying) writeMerged(ctx context.Context) error {
	repo, receipt := a.w.Repo, a.receipt
	receipt.Pending = "staged for your next git commit"
	if state := repo.InProgress(); slices.Contains([]string{"rebase", "cherry-pick", "revert"}, state) {
		receipt.Pending = "staged for git " + state + " --continue"
	}
	if receipt.Resolution.Left() > 0 {
		receipt.Pending = "the rest is " + receipt.Pending
	}
	files := a.tx.Files.Under(a.w.Prefix)
	for _, f := range files {
		name := repo.PathOf(f.Path)
		var err error
		if f.Gone() {
			err = disk.RemoveFile(name, f.Before)
		} else {
			err = disk.ReplaceFile(name, f.Before, f.After)
		}
		if err != nil {
			return err
		}
	}
	return repo.Index().StageMerged(ctx, files)
}
