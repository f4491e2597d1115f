package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// Sweep removes what a ckpt that died has left in the git folder: the locks, over
// which git would stumble, and files that were not finished. Whoever calls it
// holds the exclusive [Repo.Lock]: what bears our mark has no living owner then.
func (r *Repo) Sweep() error {
	if r.foreign() != "" {
		return nil // git took its own locks
	}
	tip, err := r.tip()
	if err != nil {
		return err
	}
	targets := []string{r.indexFile()}
	for _, name := range tip.chain {
		targets = append(targets, r.refFile(name))
	}
	dirs := map[string]bool{r.JournalDir(): true}
	for _, target := range targets {
		dirs[filepath.Dir(target)] = true
		if lock := target + ".lock"; r.ours(lock) {
			if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fault.New(fault.Failed, "remove the dead lock %q: %w", lock, err)
			}
		}
	}
	for dir := range dirs {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if disk.IsTemp(e.Name()) {
				_ = os.Remove(filepath.Join(dir, e.Name())) // litter, no damage
			}
		}
	}
	return nil
}
