package workspace

import (
	"context"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/sync/folder"
	"example.com/ckpt/internal/workspace/store"
)

// OpSync is the operation that carries checkpoints from one branch to another.
const OpSync = "sync"

// Mover returns what plans the move of a branch between folders of checkpoints.
func (p *Workspace) Mover() folder.Mover {
	return folder.Mover{
		Merger: folder.Merger{Objects: p.Repo.Objects(), Text: p.mergeText, Prefix: p.Prefix},
		Index:  p.Repo.Index(),
		OnDisk: p.Store.OnDisk,
		Edits:  func(ctx context.Context) ([]change.File, error) { return p.Edits(ctx, store.All) },
		Staged: func(ctx context.Context) ([]string, error) {
			all, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
			paths := make([]string, len(all))
			for i, f := range all {
				paths[i] = f.Path
			}
			return paths, err
		},
	}
}

// finishMove moves the index to where the branch was moved, after a death in between.
func (p *Workspace) finishMove(ctx context.Context, from, to string) error {
	was, err := p.Repo.Objects().FolderAt(ctx, from, p.Prefix)
	if err != nil {
		return err
	}
	will, err := p.Repo.Objects().FolderAt(ctx, to, p.Prefix)
	if err != nil {
		return err
	}
	entries, err := p.Mover().PlanIndex(ctx, was, will)
	if err != nil {
		return err
	}
	return p.Repo.Index().Set(ctx, entries)
}

// TextMerge merges by lines, as git does. Where both sides changed the same lines, theirs are
// taken.
func (p *Workspace) TextMerge(ctx context.Context) merge.TextMerge {
	return func(base, ours, theirs []byte) ([]byte, bool, error) { return p.mergeText(ctx, base, ours, theirs) }
}

func (p *Workspace) mergeText(ctx context.Context, base, ours, theirs []byte) ([]byte, bool, error) {
	return git.MergeText(ctx, p.Repo.Root(), base, ours, theirs)
}
