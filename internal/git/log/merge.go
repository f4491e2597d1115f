package log

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/merge"
)

// Versions has the files below a folder in the base and in the two sides of a merge, by path below the folder.
type Versions struct{ Base, Ours, Theirs map[string][]byte }

// NewVersions returns versions without files.
func NewVersions() Versions {
	return Versions{map[string][]byte{}, map[string][]byte{}, map[string][]byte{}}
}

// All returns base, ours and theirs, in this order.
func (v Versions) All() [3]map[string][]byte { return [3]map[string][]byte{v.Base, v.Ours, v.Theirs} }

// Add adds the files of w to v.
func (v Versions) Add(w Versions) {
	for i, files := range w.All() {
		maps.Copy(v.All()[i], files)
	}
}

// Paths returns the paths of all files.
func (v Versions) Paths() map[string]bool {
	paths := map[string]bool{}
	for _, files := range v.All() {
		for path := range files {
			paths[path] = true
		}
	}
	return paths
}

// Unmerged returns the files below dir (a slash path from the root) with a conflict, as the index
// has them. It runs git.
func (l Log) Unmerged(ctx context.Context, dir string) (Versions, error) {
	v := NewVersions()
	out, err := l.repo.Git(ctx, nil, "ls-files", "--unmerged", "-z", "--full-name", "--", dir)
	for line := range strings.SplitSeq(string(out), "\x00") { // each line is MODE HASH STAGE\tPATH
		head, path, _ := strings.Cut(line, "\t")
		part := strings.Fields(head)
		if len(part) < 3 || err != nil {
			continue
		}
		var content []byte
		content, err = l.repo.Objects().Blob(part[1])
		v.All()[strings.Index("123", part[2])][strings.TrimPrefix(path, dir+"/")] = append([]byte{}, content...)
	}
	return v, err
}

// AutoMerge returns the blobs of the files below dir, by path below dir, as git wrote them with conflict markers in the
// merge, rebase or the like that is in progress. It returns nil if git recorded no AUTO_MERGE.
func (l Log) AutoMerge(ctx context.Context, dir string) (map[string]string, error) {
	tree, err := l.repo.Refs().Pseudo(ctx, "AUTO_MERGE")
	if err != nil || tree == "" {
		return nil, err
	}
	found, err := object.Files(l.repo.Objects().Database(), tree, dir)
	files := map[string]string{}
	for path, e := range found {
		files[path] = e.Hash
	}
	return files, err
}

// Merge has the commits of a merge, rebase or the like. Base is empty if the two sides have no common ancestor.
type Merge struct{ Base, Ours, Theirs string }

// Merging returns the merge, rebase, cherry-pick or revert that is in progress. Ok is false if none is, or if it has
// more than three commits, as a merge of several heads or the revert of a merge has.
func (l Log) Merging(ctx context.Context) (m Merge, ok bool, err error) {
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"} {
		note, err := l.repo.Refs().Pseudo(ctx, name)
		if err != nil || strings.Contains(note, "\n") {
			return m, false, err
		}
		if note == "" {
			continue
		}
		head, err := l.repo.Head()
		if err != nil {
			return m, false, err
		}
		m = Merge{Ours: head.Hash, Theirs: note}
		if name == "MERGE_HEAD" {
			m.Base, err = l.MergeBase(ctx, m.Ours, m.Theirs)
			return m, err == nil, err
		}
		out, err := l.repo.Git(ctx, nil, "rev-list", "--max-count=1", "--parents", note)
		if err != nil {
			return m, false, err
		}
		line := strings.Fields(string(out))
		if len(line) > 2 {
			return m, false, nil
		}
		m.Base = strings.Join(line[1:], "") // the parent of a root commit is empty
		if name == "REVERT_HEAD" {
			m.Base, m.Theirs = m.Theirs, m.Base
		}
		return m, true, nil
	}
	return m, false, nil
}

// Differing returns the files below dir (a slash path from the root) that differ between the three
// commits, those that [merge.Unnumbered] gives the path of one of them, and those at the paths in always.
func (m Merge) Differing(ctx context.Context, r *git.Repo, dir string, always ...string) (Versions, error) {
	v := NewVersions()
	var trees [3]map[string]string
	for i, commit := range []string{m.Base, m.Ours, m.Theirs} {
		if commit == "" {
			continue
		}
		var err error
		trees[i], err = r.Objects().TreeAt(ctx, commit, dir)
		if err != nil {
			return v, err
		}
	}
	differs := func(path string) bool {
		return trees[0][path] != trees[1][path] || trees[1][path] != trees[2][path] || slices.Contains(always, path)
	}
	var blobs []string
	differ := [3]map[string]string{{}, {}, {}}
	for i, tree := range trees {
		for path, blob := range tree {
			if differs(path) || differs(merge.Unnumbered(path)) {
				blobs, differ[i][path] = append(blobs, blob), blob
			}
		}
	}
	contents, err := r.Objects().Contents(ctx, blobs)
	for i, tree := range differ {
		for path, blob := range tree {
			v.All()[i][path] = append([]byte{}, contents[blob]...)
		}
	}
	return v, err
}
