package others

import (
	"bytes"
	"context"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Worktrees returns what each worktree of the repository is on, this one first. One that cannot be
// read has the reason.
func Worktrees(ctx context.Context, w *workspace.Workspace) ([]result.WorktreeStatus, error) {
	folders, err := w.Repo.Branches().OtherFolders()
	if err != nil {
		return nil, err
	}
	roots := []string{w.Repo.Root()}
	for _, f := range folders {
		roots = append(roots, f.Root)
	}
	var all []result.WorktreeStatus
	for _, root := range roots {
		status, err := worktree(ctx, w, root)
		if err != nil {
			status.Unreadable = err.Error()
		}
		all = append(all, status)
	}
	return all, ctx.Err()
}

// worktree returns what the worktree with this root is on. On an error the status has what is known.
func worktree(ctx context.Context, w *workspace.Workspace, root string) (result.WorktreeStatus, error) {
	status := result.WorktreeStatus{Root: root, Folder: folderFrom(w.Repo.Root(), root)}
	settings := w.Settings
	settings.Dir, settings.Pinned, settings.Shared = root, "", false
	there, err := workspace.Open(ctx, settings)
	if err != nil {
		return status, err
	}
	view, err := there.Read(ctx, store.Live)
	if err != nil {
		return status, err
	}
	status.Branch = view.Branch()
	out, err := there.Repo.Git(ctx, nil, "status", "--porcelain", "--no-renames", "--ignore-submodules=dirty")
	if err != nil {
		return status, err
	}
	status.Edits = bytes.Count(out, []byte("\n"))
	if c := view.Set.Current(); c != nil {
		status.Current, status.Next, status.LastDelta = c.ID, c.FirstAction(), result.At(c.LastDelta())
	}
	return status, nil
}
