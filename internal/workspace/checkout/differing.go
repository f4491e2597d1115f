package checkout

import (
	"context"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// tree returns the folder's tree in a commit, or "". The error is fault.Unsupported if the path is not a folder.
func (c *Checkout) tree(ctx context.Context, commit string) (string, error) {
	if commit == "" {
		return "", nil
	}
	at, err := c.Repo.Objects().EntriesIn(ctx, commit, []string{c.Prefix})
	if e := at[c.Prefix]; e.IsZero() || e.IsFolder() {
		return e.Hash, err
	}
	return "", fault.New(fault.Unsupported, "%s is a file, a link or a submodule in commit %s", c.Prefix, commit[:7]).
		WithHint("replace it by a folder, or name another one: git config ckpt.dir FOLDER")
}

// differing returns, by path, both versions of each file of the folder that differs between two commits.
func (c *Checkout) differing(ctx context.Context, a, b string) (map[string][2]git.Entry, error) {
	all := map[string][2]git.Entry{}
	var trees [2]string
	for i, commit := range [...]string{a, b} {
		var err error
		trees[i], err = c.tree(ctx, commit)
		if err != nil {
			return nil, err
		}
	}
	if trees[0] == trees[1] {
		return all, nil
	}
	return all, walkBoth(c.Repo.Objects().Reader(ctx), all, "", trees)
}

// walkBoth adds to all, by path, what differs between two trees of the folder dir. It skips subtrees that are equal.
func walkBoth(from object.Reader, all map[string][2]git.Entry, dir string, trees [2]string) error {
	entries := map[string][2]git.Entry{}
	for i, tree := range trees {
		if tree == "" {
			continue
		}
		list, err := object.ReadTree(from, tree)
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
			if err := walkBoth(from, all, rel, below); err != nil {
				return err
			}
		}
		if v != [2]git.Entry{} {
			all[rel] = v
		}
	}
	return nil
}
