package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Health describes problems of the files in the folder, apart from their content.
type Health struct {
	Leftovers  []string // temporary files that a killed process left behind
	Executable []string // Markdown files that are executable
}

// Examine checks the files of the folder, apart from their content. The caller must have the
// exclusive lock, because otherwise a temporary file may belong to a running process.
func (s *Store) Examine() (Health, error) {
	var h Health
	err := filepath.WalkDir(s.Dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(s.Dir, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if disk.IsTemp(d.Name()) {
			h.Leftovers = append(h.Leftovers, rel)
			return nil
		}
		info, err := d.Info()
		if err != nil || !Keeps(rel) {
			return nil
		}
		if info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			h.Executable = append(h.Executable, rel)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return h, fault.New(fault.Failed, "look through the checkpoints folder: %w", disk.Pathless(err))
	}
	slices.Sort(h.Leftovers)
	return h, nil
}

// Mend fixes the problems that Examine found.
func (s *Store) Mend(h Health) error {
	for _, rel := range h.Leftovers {
		if err := disk.Remove(s.File(rel)); err != nil {
			return fault.New(fault.Failed, "remove %s: %w", rel, disk.Pathless(err))
		}
	}
	for _, rel := range h.Executable {
		if err := os.Chmod(s.File(rel), 0o644); err != nil {
			return fault.New(fault.Failed, "set the mode of %s: %w", rel, disk.Pathless(err))
		}
	}
	return nil
}
