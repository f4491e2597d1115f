package workspace

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/index"
	"example.com/ckpt/internal/workspace/store"
)

// Applied returns the set after the operation.
func (o *Tx) Applied(set *checkpoint.Set) (*checkpoint.Set, error) {
	all := slices.DeleteFunc(slices.Clone(set.All), func(c *checkpoint.Checkpoint) bool {
		_, changed := o.Files.After(c.Path)
		return changed
	})
	for _, f := range o.Files.Files {
		if f.Gone() || !store.IsCheckpoint(f.Path) {
			continue
		}
		c, err := checkpoint.Parse(f.Path, f.After)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *checkpoint.Checkpoint) int { return strings.Compare(a.Path, b.Path) })
	return set.With(all), nil
}

// syncIndexes updates the INDEX.md files that exist.
func syncIndexes(v *View, o *Tx) error {
	if o.Files.Empty() {
		return nil
	}
	for _, file := range []string{store.ActiveIndex, store.ArchiveIndex} {
		archived := file == store.ArchiveIndex
		touched := slices.ContainsFunc(o.Files.Files, func(f change.File) bool {
			return store.IsCheckpoint(f.Path) && checkpoint.InArchive(f.Path) == archived
		})
		if !touched {
			continue
		}
		src, err := v.Store.Read(file)
		if err != nil || src == nil {
			if err != nil {
				return err
			}
			continue
		}
		whole := v.Set
		if archived {
			whole, err = v.Store.Load(store.All)
			if err != nil {
				return err
			}
		}
		after, err := o.Applied(whole)
		if err != nil {
			return err
		}
		o.Put(file, src, index.Follow(src, whole, after, archived))
	}
	return nil
}
