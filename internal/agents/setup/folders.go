package setup

import (
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
)

// Unsetup keeps a folder that was already there, and empty, when setup put a file into it.
// The folder itself does not show that, so setup lists such folders in the clone, as paths
// from the root. For the user's own settings there is no such list.

func (t *Site) foldersFile() string { return filepath.Join(t.Repo.JournalDir(), "folders") }

// keepFolders reads the list of folders to keep, and adds those that are about to get
// their first file.
func (t *Site) keepFolders() {
	if t.Repo == nil || t.root == "" {
		return
	}
	src, _ := disk.ReadFile(t.foldersFile())
	for dir := range strings.Lines(string(src)) {
		if dir = strings.TrimSuffix(dir, "\n"); disk.Exists(t.path(dir)) {
			t.folders = append(t.folders, dir)
		}
	}
	for _, f := range t.files.Files {
		if f.Before != nil {
			continue
		}
		if dir := disk.EmptyFolder(filepath.Dir(t.path(f.Path)), t.root); dir != "" {
			if rel, err := filepath.Rel(t.root, dir); err == nil {
				t.folders = append(t.folders, filepath.ToSlash(rel))
			}
		}
	}
	slices.Sort(t.folders)
	t.folders = slices.Compact(t.folders)
}

// noteFolders writes the list of folders to keep that have a file now.
func (t *Site) noteFolders() error {
	if t.Repo == nil || t.root == "" {
		return nil
	}
	var lines strings.Builder
	for _, dir := range t.folders {
		if path := t.path(dir); disk.EmptyFolder(path, t.root) != path && disk.Exists(path) {
			lines.WriteString(dir + "\n")
		}
	}
	before, err := disk.ReadFile(t.foldersFile())
	switch {
	case err != nil || lines.String() == string(before):
		return err
	case lines.Len() == 0:
		return disk.Remove(t.foldersFile())
	}
	return disk.WriteFile(t.foldersFile(), []byte(lines.String()), false)
}

// top returns the folder above a file that is not removed with it.
func (t *Site) top(name string) string {
	top := t.root
	if own := t.tops[name]; own != "" {
		top = filepath.FromSlash(own)
	}
	for _, dir := range t.folders {
		if path := t.path(dir); len(path) > len(top) && disk.Within(t.path(name), path) {
			top = path
		}
	}
	return top
}
