package workspace

import (
	"context"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// writeMerged writes and stages the files of a resolve during a merge.
func (p *Workspace) writeMerged(ctx context.Context, o *Tx, receipt *result.Receipt) error {
	sync, err := p.Repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	receipt.Pending = "staged: rides with " + p.continueCommand()
	if receipt.Resolution.Left() > 0 {
		receipt.Pending = "the rest is " + receipt.Pending
	}
	w := disk.Operation{Root: p.Repo.Root(), Files: o.Files.Under(p.Prefix), End: disk.ToMerge, Sync: sync}
	return p.WriteFiles(w, nil, nothing, func() error { return p.Repo.Index().StageMerged(ctx, w.Files) })
}

// continueCommand returns the command that ends or continues what git is in the middle of.
func (p *Workspace) continueCommand() string {
	state := p.Repo.InProgress()
	switch state {
	case "rebase", "cherry-pick", "revert":
		return "git " + state + " --continue"
	}
	return "your next git commit"
}
