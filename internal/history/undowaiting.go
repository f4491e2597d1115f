package history

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// undoWaiting undoes the last n pending operations while a git command is in progress. They are not
// in history yet, so they are dropped. Operations in history cannot be undone at that time, because
// git is about to rewrite or to leave that history.
func (p *History) undoWaiting(ctx context.Context, state string, n int) (*result.Receipt, error) {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s, err := p.Load(ctx)
	if err != nil {
		return nil, err
	}
	var all []log.Commit
	if s.Pending != nil {
		all, err = pending.Of(p.Repo).Commits(ctx, s.Pending)
		if err != nil {
			return nil, err
		}
	}
	// The last commit may hold pending changes that a failed commit left: these are not an
	// operation.
	if i := slices.IndexFunc(all,
		func(c log.Commit) bool { return slices.Contains(c.Trailers[workspace.TrailerOp], "land") }); i >= 0 {
		all = all[:i]
	}
	if len(all) < n {
		return nil, fault.New(fault.Unsupported, "a %s is in progress: %s to undo, and operations in history have to wait",
			state, pendingToUndo(len(all))).
			WithHint("finish the %s first, then ckpt undo", state)
	}
	to, err := pending.Of(p.Repo).Before(ctx, all[n-1])
	if err != nil {
		return nil, err
	}
	var undone []Past
	for _, c := range all[:n] {
		undone = append(undone, Past{Operation: result.Operation{Commit: c.Hash, Subject: c.Subject}})
	}
	o := &workspace.Tx{Op: workspace.OpUndo, Summary: summaryOf(undone)}
	if ids := all[n-1].Trailers[workspace.TrailerID]; len(ids) == 1 {
		o.ID = ids[0]
	}
	o.Files.Files, err = between(ctx, s, to)
	if err != nil {
		return nil, err
	}
	receipt := workspace.Receipt(p.Prefix, o)
	if p.DryRun {
		receipt.DryRun, receipt.Diff = true, change.Patch(o.Files.Under(p.Prefix))
		return receipt, nil
	}
	if err := pending.Of(p.Repo).Drop(ctx, s.Pending, to); err != nil {
		return nil, err
	}
	receipt.Pending = "dropped from " + s.Pending.Ref + "; git show " + all[0].Hash[:7] + " has it"
	return receipt, nil
}

// pendingToUndo counts the pending operations for a message.
func pendingToUndo(n int) string {
	if n == 0 {
		return "no pending operation"
	}
	return "only " + text.Count(n, "pending operation")
}

// between returns the changes of the files if only the pending changes up to a commit remain.
func between(ctx context.Context, now *workspace.View, to *pending.Changes) ([]change.File, error) {
	then, err := now.WithPending(ctx, to)
	if err != nil {
		return nil, err
	}
	var files []change.File
	for _, f := range now.Merged {
		src, err := then.Store.Read(f.Path)
		if err != nil {
			return nil, err
		}
		if !change.Same(f.After, src) {
			files = append(files, change.File{Path: f.Path, Before: f.After, After: src})
		}
	}
	slices.SortFunc(files, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}
