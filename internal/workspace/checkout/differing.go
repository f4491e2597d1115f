package checkout

import (
	"context"
	"maps"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// tree returns the tree of the folder in a commit; "" for none.
func (c *Checkout) tree(ctx context.Context, commit string) (string, error) {
	if commit == "" {
		return "", nil
	}
	at, err := c.Repo.Objects().EntriesIn(ctx, commit, []string{c.Prefix})
	return at[c.Prefix].Hash, err
}

// differing returns the files that differ between the folder of two commits, as both have them.
func (c *Checkout) differing(ctx context.Context, a, b string) (map[string][2]git.Entry, error) {
	all := map[string][2]git.Entry{}
	objects := c.Repo.Objects()
	var trees [2]string
	for i, commit := range [...]string{a, b} {
		var err error
		trees[i], err = c.tree(ctx, commit)
		if err != nil {
			return nil, err
		}
	}
	if c.Repo.Foreign() == "" && c.walk(all, "", trees) == nil {
		return all, nil
	}
	clear(all)
	for i, commit := range [...]string{a, b} {
		files, err := objects.FolderAt(ctx, commit, c.Prefix)
		if err != nil {
			return nil, err
		}
		for rel, e := range files {
			versions := all[rel]
			versions[i] = e
			all[rel] = versions
		}
	}
	maps.DeleteFunc(all, func(_ string, v [2]git.Entry) bool { return v[0] == v[1] })
	return all, nil
}

// walk adds what differs between two trees of a folder. It reads no tree that both have.
func (c *Checkout) walk(all map[string][2]git.Entry, dir string, trees [2]string) error {
	entries := map[string][2]git.Entry{}
	for i, tree := range trees {
		if tree == "" {
			continue
		}
		list, err := object.ReadTree(c.Repo.Objects().Database(), tree)
		if err != nil {
			return err
		}
		for _, e := range list {
			versions := entries[e.Name]
			versions[i] = e.Entry
			entries[e.Name] = versions
		}
	}
	for name, v := range entries {
		if v[0] == v[1] {
			continue
		}
		rel := strings.TrimPrefix(dir+"/"+name, "/")
		var below [2]string
		for i := range v {
			if v[i].IsFolder() {
				below[i], v[i] = v[i].Hash, git.Entry{}
			}
		}
		if below != [2]string{} {
			if err := c.walk(all, rel, below); err != nil {
				return err
			}
		}
		if v != [2]git.Entry{} {
			all[rel] = v
		}
	}
	return nil
}
