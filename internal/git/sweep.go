package git

import (
	"os"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// Sweep removes what a ckpt that died has left in the git folder: the locks, over
// which git would stumble, and files that were not finished. Whoever calls it
// holds the exclusive [Repo.Lock]: what is ours has no living owner then.
func (r *Repo) Sweep() error {
	locks, temps, err := r.litter()
	if err != nil {
		return err
	}
	for _, lock := range locks {
		if err := disk.Remove(lock); err != nil {
			return fault.New(fault.Failed, "a ckpt that died left a lock: %w", err)
		}
	}
	for _, temp := range temps {
		_ = os.Remove(temp) // litter, no damage
	}
	return nil
}

// Leftovers is what Sweep would remove, as paths from the root where they are below
// it. The caller holds the exclusive lock, too.
func (r *Repo) Leftovers() ([]string, error) {
	locks, temps, err := r.litter()
	var all []string
	for _, path := range append(locks, temps...) {
		if rel, err := filepath.Rel(r.root, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.ToSlash(rel)
		}
		all = append(all, path)
	}
	slices.Sort(all)
	return all, err
}

func (r *Repo) litter() (locks, temps []string, err error) {
	targets := []string{r.indexFile()}
	dirs := []string{r.JournalDir(), filepath.Dir(r.lockFile())}
	if r.foreign() == "" { // elsewhere git took its own locks
		tip, err := r.tip()
		if err != nil {
			return nil, nil, err
		}
		for _, name := range tip.chain {
			targets = append(targets, r.refFile(name))
		}
		for _, target := range targets {
			dirs = append(dirs, filepath.Dir(target))
			if lock := target + ".lock"; r.ours(lock) {
				locks = append(locks, lock)
			}
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if disk.IsTemp(e.Name()) {
				temps = append(temps, filepath.Join(dir, e.Name()))
			}
		}
	}
	return locks, temps, nil
}
