package store

import (
	"errors"
	"io/fs"
	"path/filepath"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Leftovers returns the temporary files that a killed process left in the folder. The caller must have
// the exclusive lock, because otherwise a temporary file may belong to a running process.
func (s *Store) Leftovers() (left []string, err error) {
	err = filepath.WalkDir(s.Dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !disk.IsTemp(d.Name()) {
			return err
		}
		rel, err := filepath.Rel(s.Dir, p)
		left = append(left, filepath.ToSlash(rel))
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Failed, "look through the checkpoints folder: %w", disk.Pathless(err))
	}
	return left, nil
}

// Sweep removes the files that Leftovers returns.
func (s *Store) Sweep() error {
	left, err := s.Leftovers()
	for _, rel := range left {
		err = errors.Join(err, disk.Remove(s.File(rel)))
	}
	return err
}
