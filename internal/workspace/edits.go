package workspace

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/workspace/store"
)

// edits are the files of the folder, or of active/ alone, that differ from the last
// commit.
func (p *Workspace) Edits(ctx context.Context, scope store.Scope) ([]change.File, error) {
	tree, err := p.committedFiles(scope)
	if err != nil {
		return nil, err
	}
	paths, err := p.Store.Files(scope)
	if err != nil {
		return nil, err
	}
	var edits []change.File
	for _, rel := range paths {
		if byHand, err := p.byHand(ctx, rel, tree[rel]); err != nil {
			return nil, err
		} else if !byHand {
			delete(tree, rel)
			continue
		}
		src, err := p.Store.Read(rel)
		if err != nil {
			delete(tree, rel)
			continue // every listing says that it cannot be read
		}
		f := change.File{Path: rel, After: src}
		if name, known := tree[rel]; known {
			delete(tree, rel)
			if name == git.BlobHash(src) {
				continue
			}
			if same, err := p.Repo.Objects().HasAll(ctx, []change.File{{Path: p.FromRoot(rel), After: src}}); err != nil || same {
				if err != nil {
					return nil, err
				}
				continue // only its line endings differ, by git's own rules
			}
			if f.Before, err = p.Repo.Objects().Blob(name); err != nil {
				return nil, err
			}
		}
		edits = append(edits, f)
	}
	hidden, err := p.hidden(ctx, tree)
	if err != nil {
		return nil, err
	}
	for rel, name := range tree { // gone from the disk
		if hidden[p.FromRoot(rel)] {
			continue
		}
		if !store.Keeps(rel) {
			continue
		}
		if _, laid := p.Store.Overlay[rel]; laid || p.Store.Has(rel) {
			continue // not gone: a link, which is its owner's business
		}
		src, err := p.Repo.Objects().Blob(name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, change.File{Path: rel, Before: src})
	}
	slices.SortFunc(edits, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return edits, nil
}

// committedFiles are the files of the folder, or of active/ alone, in the last
// commit: their paths in the folder, and the hashes.
func (p *Workspace) committedFiles(scope store.Scope) (map[string]string, error) {
	if scope == store.All {
		return p.Repo.Objects().Tree(p.Prefix)
	}
	active, err := p.Repo.Objects().Tree(p.FromRoot(store.Active))
	files := make(map[string]string, len(active))
	for rel, name := range active {
		files[store.Active+"/"+rel] = name
	}
	return files, err
}

// hidden are the files of a folder's tree that are not in the working tree because
// a sparse checkout leaves them out.
func (p *Workspace) hidden(ctx context.Context, tree map[string]string) (map[string]bool, error) {
	var gone []string
	for rel := range tree {
		if store.Keeps(rel) && !p.Store.Has(rel) {
			gone = append(gone, p.FromRoot(rel))
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	slices.Sort(gone)
	return p.Repo.Index().Skipped(ctx, gone)
}
