package checkout

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
)

// Recover completes what a killed process has begun to publish: it updates the index to the branch.
func (b Branch) Recover(ctx context.Context) error {
	s, err := b.Load()
	if err != nil || s.landing == "" && !b.Repo.Index().LockedByUs() {
		return err
	}
	if err := errors.Join(b.Repo.Sweep(), b.sweepAll()); err != nil {
		return err
	}
	head, err := b.Repo.Head()
	if err != nil {
		return err
	}
	landing := strings.TrimPrefix(s.landing, Nothing)
	if s.landing != "" && head.Hash != "" && head.Hash != landing {
		c, err := b.Repo.Objects().Commit(ctx, head.Hash)
		if err != nil {
			return err
		}
		if slices.Equal(c.Parents, strings.Fields(landing)) {
			if err := b.repairIndex(ctx, landing, head.Hash); err != nil {
				return err
			}
		}
	}
	s.landing = ""
	return b.Save(s)
}

// sweepAll removes the temporary files from the folder.
func (b Branch) sweepAll() error {
	return filepath.WalkDir(b.Dir, func(dir string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || !d.IsDir():
			return err
		}
		return disk.Sweep(dir)
	})
}

// repairIndex updates the index from one commit to another. It changes only entries that are as in the first.
func (b Branch) repairIndex(ctx context.Context, from, to string) error {
	differ, err := b.differing(ctx, from, to)
	if err != nil {
		return err
	}
	return b.Repo.Index().Repair(ctx, b.Prefix, differ)
}
