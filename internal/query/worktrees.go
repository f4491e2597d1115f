package query

import (
	"path/filepath"

	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
)

// alsoCurrent returns the folders of the other worktrees in which a checkpoint is the current one, too,
// relative to the root of this one. Worktrees whose files cannot be read are left out.
func alsoCurrent(at *folder.Folder, id string) ([]string, error) {
	worktrees, err := at.Repo.Branches().OtherFolders()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, w := range worktrees {
		s, err := checkout.Read(checkout.StateFile(w.StateDir()))
		if err != nil || s.Shown != id {
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
