package workspace

import (
	"context"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/sync/folder"
	checkpoints "example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// OpSync is the operation that carries checkpoints from one branch to another.
const OpSync = "sync"

// Mover returns the planner for a move of the branch to another commit and its checkpoints folder.
func Mover(at *checkpoints.Folder) folder.Mover {
	text := func(ctx context.Context, base, ours, theirs []byte) ([]byte, bool, error) {
		return mergefile.PreferTheirs(ctx, at.Repo.Root(), base, ours, theirs)
	}
	return folder.Mover{
		Merger: folder.Merger{Objects: at.Repo.Objects(), Text: text, Prefix: at.Prefix},
		Index:  at.Repo.Index(),
		OnDisk: at.Store.OnDisk,
		Edits:  func(ctx context.Context) ([]change.File, error) { return at.Edits(ctx, store.All) },
		Staged: func(ctx context.Context) ([]string, error) {
			all, err := log.Of(at.Repo).Staged(ctx, at.Prefix)
			paths := make([]string, len(all))
			for i, f := range all {
				paths[i] = f.Path
			}
			return paths, err
		},
	}
}

// TextMerge returns a merge by lines, as git does it. Where both sides changed the same lines,
// theirs are taken.
func TextMerge(ctx context.Context, repo *git.Repo) merge.TextMerge {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		return mergefile.PreferTheirs(ctx, repo.Root(), base, ours, theirs)
	}
}
