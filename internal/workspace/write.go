package workspace

import (
	"context"

	"example.com/ckpt/internal/disk"
)

// writeMerged writes and stages the files of a resolve during a merge.
func (a *applying) writeMerged(ctx context.Context) error {
	repo, receipt := a.w.Repo, a.receipt
	receipt.Pending = "staged for " + continueCommand(repo.InProgress())
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

// continueCommand returns the command that completes or continues the merge or the like in
// progress.
func continueCommand(state string) string {
	switch state {
	case "rebase", "cherry-pick", "revert":
		return "git " + state + " --continue"
	}
	return "your next git commit"
}
