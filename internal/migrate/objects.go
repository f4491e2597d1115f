package migrate

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// objects reads commits of the code and makes commits of the ref. These are kept in memory until
// they are stored, so that a dry run writes nothing. If only git can read and write the
// repository, git stores them at once, and nothing refers to them.
type objects struct {
	repo   *git.Repo
	prefix string
	batch  *object.Batch     // nil if git stores the objects
	tree   map[string]string // the trees of commits of the ref
	trees  map[string]string // by the tree of a folder of the code, that of a commit of the ref
	fresh  map[string][]byte // the contents of blobs that are not stored yet
	times  map[string]int64  // the times of commits that are not stored yet, in seconds
}

func newObjects(repo *git.Repo, prefix string) *objects {
	o := &objects{
		repo: repo, prefix: prefix, tree: map[string]string{}, trees: map[string]string{}, fresh: map[string][]byte{},
		times: map[string]int64{},
	}
	if repo.Foreign() == "" {
		o.batch = repo.Objects().Database().NewBatch()
	}
	return o
}

// belongs reports whether the ref keeps a file of the folder. The policy and git's attributes stay
// on the branches of the code, INDEX.md is the user's, and the keep files are not needed.
func belongs(rel string) bool {
	top, rest, _ := strings.Cut(rel, "/")
	switch {
	case rel == store.Learnings:
		return true
	case top != store.Active && top != store.Archive:
		return false
	}
	return rest != store.Index && rest != ".gitkeep"
}

// folderOf returns what a commit of the code has for the ref: the tree of a commit, "" for none,
// and the blob of config.yaml.
func (o *objects) folderOf(ctx context.Context, hash string, c object.CommitText) (tree, config string, err error) {
	if o.batch == nil {
		return o.folderByGit(ctx, hash)
	}
	at, err := object.PathsOf(o.batch, c.Tree).At(o.prefix)
	if err != nil || !at.IsFolder() {
		return "", "", err
	}
	entries, err := object.ReadTree(o.batch, at.Hash)
	if err != nil {
		return "", "", err
	}
	drop := map[string]git.Entry{}
	for _, e := range entries {
		switch {
		case e.Name == store.ConfigFile:
			config = e.Hash
		case e.IsFolder() && (e.Name == store.Active || e.Name == store.Archive):
			drop[e.Name+"/"+store.Index], drop[e.Name+"/.gitkeep"] = git.Entry{}, git.Entry{}
		}
		if !belongs(e.Name) && !belongs(e.Name+"/x") {
			drop[e.Name] = git.Entry{}
		}
	}
	if known, ok := o.trees[at.Hash]; ok {
		return known, config, nil
	}
	sub, err := o.batch.Rewrite(at.Hash, drop)
	if err == nil && sub != "" {
		tree, err = o.batch.Rewrite("", map[string]git.Entry{o.prefix: {Mode: at.Mode, Hash: sub}})
	}
	o.trees[at.Hash] = tree
	return tree, config, err
}

func (o *objects) folderByGit(ctx context.Context, hash string) (tree, config string, err error) {
	files, err := o.repo.Objects().FolderAt(ctx, hash, o.prefix)
	if err != nil {
		return "", "", err
	}
	config = files[store.ConfigFile].Hash
	kept := map[string]git.Entry{}
	for rel, e := range files {
		if belongs(rel) {
			kept[o.prefix+"/"+rel] = e
		}
	}
	if len(kept) == 0 {
		return "", config, nil
	}
	tree, err = commit.Of(o.repo).WriteTree(ctx, "", kept)
	return tree, config, err
}

// add makes a commit of the ref. An empty tree is "".
func (o *objects) add(ctx context.Context, c object.CommitText) (string, error) {
	tree := c.Tree
	var err error
	if o.batch != nil {
		if tree == "" {
			c.Tree = o.batch.Add(object.Tree, nil)
		}
		made := o.batch.Add(object.Commit, c.Encode())
		o.tree[made], o.times[made] = tree, seconds(c.Committer)
		return made, nil
	}
	if tree == "" {
		c.Tree, err = commit.Of(o.repo).WriteTree(ctx, "", nil)
		if err != nil {
			return "", err
		}
	}
	made, err := o.repo.Objects().StoreCommit(ctx, c)
	o.tree[made] = tree
	return made, err
}

// timeOf returns the time of a commit of the ref, in seconds.
func (o *objects) timeOf(ctx context.Context, commit string) (int64, error) {
	if at, planned := o.times[commit]; planned {
		return at, nil
	}
	c, err := o.repo.Objects().Commit(ctx, commit)
	return seconds(c.Committer), err
}

// flush stores what was made.
func (o *objects) flush(ctx context.Context) error {
	if o.batch == nil {
		return nil
	}
	sync, err := o.repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	return o.batch.Flush(sync)
}

// files returns the files of the folder in a commit of the ref.
func (o *objects) files(ctx context.Context, commit string) (map[string]git.Entry, error) {
	tree, planned := o.tree[commit]
	if o.batch == nil || !planned {
		return o.repo.Objects().FolderAt(ctx, commit, o.prefix)
	}
	return object.Files(o.batch, tree, o.prefix)
}

// rewrite returns the tree of a commit of the ref with files of the folder set or removed. A file
// with content in fresh gets that content.
func (o *objects) rewrite(ctx context.Context, commitHash string, set map[string]git.Entry, fresh map[string][]byte) (
	string, error) {
	entries := map[string]git.Entry{}
	for rel, e := range set {
		if src, isNew := fresh[rel]; isNew {
			blob, err := o.blob(ctx, src)
			if err != nil {
				return "", err
			}
			e = git.FileEntry(blob)
		}
		entries[o.prefix+"/"+rel] = e
	}
	if o.batch == nil {
		return commit.Of(o.repo).WriteTree(ctx, commitHash, entries)
	}
	tree, planned := o.tree[commitHash]
	if !planned {
		c, err := o.repo.Objects().Commit(ctx, commitHash)
		if err != nil {
			return "", err
		}
		tree = c.Tree
	}
	return o.batch.Rewrite(tree, entries)
}

func (o *objects) blob(ctx context.Context, src []byte) (string, error) {
	if o.batch == nil {
		return o.repo.Objects().Store(ctx, src)
	}
	blob := o.batch.Add(object.Blob, src)
	o.fresh[blob] = src
	return blob, nil
}

// contents returns the contents of files by path.
func (o *objects) contents(ctx context.Context, files map[string]git.Entry) (map[string][]byte, error) {
	var blobs []string
	for _, e := range files {
		if _, isNew := o.fresh[e.Hash]; !isNew {
			blobs = append(blobs, e.Hash)
		}
	}
	found, err := o.repo.Objects().Contents(ctx, blobs)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]byte, len(files))
	for rel, e := range files {
		src, isNew := o.fresh[e.Hash]
		if !isNew {
			src = found[e.Hash]
		}
		all[rel] = src
	}
	return all, nil
}

// written returns the files of a commit of the ref that have a copy in a worktree. A link is no
// such file.
func written(files map[string]git.Entry) map[string]git.Entry {
	all := maps.Clone(files)
	maps.DeleteFunc(all, func(rel string, e git.Entry) bool { return !checkout.Written(rel) || !e.Regular() })
	return all
}

// paths returns the paths of several sets of files, sorted.
func paths(sets ...map[string]git.Entry) []string {
	all := map[string]bool{}
	for _, set := range sets {
		for rel := range set {
			all[rel] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
