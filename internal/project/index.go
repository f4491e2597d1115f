package project

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/index"
	"example.com/ckpt/internal/store"
)

// applied is the set as the operation leaves it.
func (o *operation) applied(set *checkpoint.Set) (*checkpoint.Set, error) {
	all := slices.DeleteFunc(slices.Clone(set.All), func(c *checkpoint.Checkpoint) bool {
		_, changed := o.files.After(c.Path)
		return changed
	})
	for _, f := range o.files.Files {
		if f.Gone() || !isCheckpointPath(f.Path) {
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

func isCheckpointPath(rel string) bool {
	return (strings.HasPrefix(rel, store.Active+"/") || strings.HasPrefix(rel, store.Archive+"/")) &&
		strings.HasSuffix(rel, ".md") && !strings.HasSuffix(rel, "/INDEX.md")
}

// syncIndexes keeps the INDEX.md files in step where somebody has them.
func (p *Project) syncIndexes(set *checkpoint.Set, o *operation) error {
	if o.files.Empty() {
		return nil
	}
	for _, file := range []string{store.ActiveIndex, store.ArchiveIndex} {
		archived := file == store.ArchiveIndex
		touched := slices.ContainsFunc(o.files.Files, func(f change.File) bool {
			return isCheckpointPath(f.Path) && checkpoint.InArchive(f.Path) == archived
		})
		if !touched {
			continue
		}
		src, err := p.Store.Read(file)
		if err != nil || src == nil {
			if err != nil {
				return err
			}
			continue
		}
		whole := set
		if archived {
			if whole, err = p.Store.Load(store.All); err != nil {
				return err
			}
		}
		after, err := o.applied(whole)
		if err != nil {
			return err
		}
		o.put(file, src, index.Follow(src, whole, after, archived))
	}
	return nil
}
