package migrate

import (
	"context"
	"path"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// outdate makes a version that one side had since base, and that the other side still has, the
// common base of the two. A branch that was squashed into another one, or rebased, has no newer common
// commit with it: without this its checkpoints would come back where they were archived, folded or
// deleted since.
func (r *replay) outdate(ctx context.Context, base, ours, theirs string, sides [3]map[string]git.Entry) error {
	var old [3]map[string]git.Entry // by the name of the file, of the sides 1 and 2
	for i, other := range map[int]string{1: theirs, 2: ours} {
		old[i] = map[string]git.Entry{}
		var known map[string]bool
		for rel, e := range sides[i] {
			if e == sides[0][rel] || e == sides[3-i][rel] {
				continue
			}
			if known == nil {
				var err error
				known, err = r.blobsSince(ctx, base, other)
				if err != nil {
					return err
				}
			}
			if known[e.Hash] {
				old[i][rel] = e
			}
		}
	}
	names := func(files map[string]git.Entry) map[string]bool {
		all := map[string]bool{}
		for rel := range files {
			all[path.Base(rel)] = true
		}
		return all
	}
	mine, others := names(old[1]), names(old[2])
	for i, also := range map[int]map[string]bool{1: others, 2: mine} {
		for rel, e := range old[i] {
			if also[path.Base(rel)] {
				continue // each side once had what the other has
			}
			for at := range sides[0] {
				if path.Base(at) == path.Base(rel) {
					delete(sides[0], at)
				}
			}
			sides[0][rel] = e
		}
	}
	return nil
}

// blobsSince returns every blob of a commit of the ref and of its ancestors that the commit base,
// "" for none, does not contain.
func (r *replay) blobsSince(ctx context.Context, base, commit string) (map[string]bool, error) {
	all := map[string]bool{}
	if r.batch == nil {
		args := []string{"rev-list", "--objects", commit}
		if base != "" {
			args = append(args, "^"+base)
		}
		out, err := r.repo.Git(ctx, nil, args...)
		for line := range strings.Lines(string(out)) {
			hash, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			all[hash] = true
		}
		return all, err
	}
	before := map[string]bool{}
	if base != "" {
		before = r.commits.ancestors(base)
	}
	for c := range r.commits.ancestors(commit) {
		if before[c] {
			continue
		}
		tree, planned := r.tree[c]
		if !planned {
			text, err := r.repo.Objects().Commit(ctx, c)
			if err != nil {
				return nil, err
			}
			tree = text.Tree
		}
		if err := r.addBlobs(tree, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// addBlobs adds what is below a tree, and the tree itself, so that it is read only once.
func (r *replay) addBlobs(tree string, all map[string]bool) error {
	if tree == "" || all[tree] {
		return nil
	}
	all[tree] = true
	entries, err := object.ReadTree(r.batch, tree)
	for _, e := range entries {
		if !e.IsFolder() {
			all[e.Hash] = true
		} else if err := r.addBlobs(e.Hash, all); err != nil {
			return err
		}
	}
	return err
}
