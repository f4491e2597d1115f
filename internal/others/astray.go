package others

import (
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Astray explains why the ancestors of a checkpoint do not end with a root: a parent is missing, is
// the checkpoint itself, or leads back to it. It is empty if they do. The archive is searched for a
// parent by file names, and is read only if no name matches.
func (p *Finder) Astray(view *workspace.View, c *checkpoint.Checkpoint) (string, error) {
	if c.Parent() == "" {
		return "", nil
	}
	_, stop := lineage.Build(view.Set).Ancestors(c.ID)
	if stop != nil && stop.Kind == lineage.MissingParent {
		if view.Store.Archived(stop.Names[0]) != "" {
			return "", nil
		}
		all, err := view.Store.Load(store.All)
		if err != nil {
			return "", err
		}
		_, stop = lineage.Build(all).Ancestors(c.ID)
	}
	if stop == nil {
		return "", nil
	}
	return "the parents of " + c.ID + ": " + stop.String() + " (ckpt tree, ckpt validate)", nil
}
