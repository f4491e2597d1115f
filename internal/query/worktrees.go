package query

import (
	"path/filepath"

	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
)

// alsoCurrent returns the roots of the other worktrees in which the checkpoint is current, as paths relative
// to the root of this worktree. It leaves out worktrees whose files cannot be read.
func alsoCurrent(at *folder.Folder, id string) ([]string, error) {
	worktrees, err := at.Repo.Branches().OtherFolders()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, w := range worktrees {
		s, err := checkout.Read(w.StateDir())
		if err != nil || s.Current() != id {
			continue
		}
		path, err := filepath.Rel(at.Repo.Root(), w.Root)
		if err != nil {
			path = w.Root
		}
		found = append(found, filepath.ToSlash(path))
	}
	return found, nil
}
