package query

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
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

// alsoCurrent returns the other worktrees in which a checkpoint is the current one, too. Path is that
// of its file here, below the folder. Without such a worktree it starts no process. Worktrees whose
// files cannot be read are left out.
func alsoCurrent(ctx context.Context, at *folder.Folder, id, path string) ([]result.Worktree, error) {
	folders, err := at.Repo.Branches().OtherFolders()
	if err != nil {
		return nil, err
	}
	var found []result.Worktree
	var names []string // of the worktrees in the trailers of commits
	for _, f := range folders {
		s, err := checkout.Read(checkout.StateFile(f.StateDir()))
		if err == nil && s.Shown == id {
			names = append(names, s.Worktree)
			found = append(found, result.Worktree{Root: f.Root, Folder: folderFrom(at.Repo.Root(), f.Root)})
		}
	}
	if len(found) > 0 {
		addLastDeltas(ctx, at, found, names, path)
	}
	return found, nil
}

// newestDeltas is the number of versions in which the last deltas of worktrees are looked for.
const newestDeltas = 200

// addLastDeltas adds the times of the last deltas that were recorded in worktrees, if git can tell.
// The file does not, as all worktrees share it.
func addLastDeltas(ctx context.Context, at *folder.Folder, found []result.Worktree, names []string, path string) {
	commits, err := log.Of(at.Commits).Recent(ctx, at.InTree(path), newestDeltas)
	if err != nil {
		return
	}
	for i, name := range names {
		if name == "" {
			continue
		}
		n := slices.IndexFunc(commits, func(c log.Commit) bool {
			return slices.Contains(c.Trailers[revisions.OpTrailer], "delta") && ckptref.MakerOf(c).Worktree == name
		})
		if n >= 0 {
			found[i].LastDelta = result.At(commits[n].Time)
		}
	}
}

// folderFrom returns the folder of another worktree, relative to the root of this one.
func folderFrom(root, other string) string {
	rel, err := filepath.Rel(root, other)
	if err != nil {
		return other
	}
	return filepath.ToSlash(rel)
}
