package git

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

// Versions are files below a folder by path below it: as they were before two lines of
// history parted, as ours has them, and as theirs has them.
type Versions struct{ Base, Ours, Theirs map[string][]byte }

// NewVersions returns versions without files.
func NewVersions() Versions {
	return Versions{map[string][]byte{}, map[string][]byte{}, map[string][]byte{}}
}

// All returns base, ours and theirs, in this order.
func (v Versions) All() [3]map[string][]byte { return [3]map[string][]byte{v.Base, v.Ours, v.Theirs} }

// Add adds the files of w.
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

// Unmerged returns the files below dir (a slash path from the root) that git could not
// merge, as the index has them. It runs git.
func (r *Repo) Unmerged(ctx context.Context, dir string) (Versions, error) {
	v := NewVersions()
	out, err := r.Git(ctx, nil, "ls-files", "--unmerged", "-z", "--full-name", "--", dir)
	if err != nil {
		return v, err
	}
	for line := range strings.SplitSeq(string(out), "\x00") { // MODE HASH STAGE\tPATH
		head, path, ok := strings.Cut(line, "\t")
		part := strings.Fields(head)
		if !ok || len(part) < 3 {
			continue
		}
		stage := strings.Index("123", part[2])
		if stage < 0 {
			continue
		}
		src, err := r.Blob(part[1])
		if err != nil {
			return v, err
		}
		v.All()[stage][strings.TrimPrefix(path, dir+"/")] = append([]byte{}, src...)
	}
	return v, nil
}

// AutoMerge returns what git wrote to the working tree in the merge, or the like, that it is
// in the middle of: the files below dir, markers included, by path below dir, and their
// blobs. Nil where git does not tell.
func (r *Repo) AutoMerge(ctx context.Context, dir string) (map[string]string, error) {
	tree, err := r.pseudoRef(ctx, "AUTO_MERGE")
	if err != nil || tree == "" {
		return nil, err
	}
	out, err := r.Git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", tree, "--", dir+"/")
	files := map[string]string{}
	for path, e := range ParseEntries(out) {
		files[strings.TrimPrefix(path, dir+"/")] = e.Hash
	}
	return files, err
}

// Merge names the commits of a merge, or the like; Base is empty where both sides have no
// commit in common.
type Merge struct{ Base, Ours, Theirs string }

// Merging returns the merge, rebase, cherry-pick or revert that git is in the middle of. Ok
// is false where git does not tell its three commits: several heads at once, a commit with
// more than one parent, a stash.
func (r *Repo) Merging(ctx context.Context) (m Merge, ok bool, err error) {
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"} {
		note, err := r.pseudoRef(ctx, name)
		if err != nil || strings.Contains(note, "\n") {
			return m, false, err
		}
		if note == "" {
			continue
		}
		head, err := r.Head()
		if err != nil {
			return m, false, err
		}
		m = Merge{Ours: head.Hash, Theirs: note}
		if name == "MERGE_HEAD" {
			m.Base, err = r.mergeBase(ctx, m)
			return m, err == nil, err
		}
		out, err := r.Git(ctx, nil, "rev-list", "--max-count=1", "--parents", note)
		if err != nil {
			return m, false, err
		}
		line := strings.Fields(string(out))
		if len(line) > 2 {
			return m, false, nil
		}
		m.Base = strings.Join(line[1:], "") // a root commit began as nothing
		if name == "REVERT_HEAD" {
			m.Base, m.Theirs = m.Theirs, m.Base
		}
		return m, true, nil
	}
	return m, false, nil
}

// LastMerge returns the last merge of two commits on HEAD's own line; ok is false where
// there is none.
func (r *Repo) LastMerge(ctx context.Context) (Merge, bool, error) {
	return r.mergeOf(ctx, "--first-parent", "--merges")
}

// HeadMerge returns the merge of two commits that HEAD is; ok is false where it is none.
func (r *Repo) HeadMerge(ctx context.Context) (Merge, bool, error) {
	return r.mergeOf(ctx, "HEAD")
}

// MergeOf is the last merge that changed a file (from the root); ok is false where no
// merge did so last.
func (r *Repo) MergeOf(ctx context.Context, path string) (Merge, bool, error) {
	return r.mergeOf(ctx, "HEAD", "--", path)
}

func (r *Repo) mergeOf(ctx context.Context, how ...string) (m Merge, ok bool, err error) {
	head, err := r.Head()
	if err != nil || head.Hash == "" {
		return m, false, err
	}
	out, err := r.Git(ctx, nil, append([]string{"log", "--max-count=1", "--no-show-signature", "--format=%P"}, how...)...)
	parents := strings.Fields(string(out))
	if err != nil || len(parents) != 2 {
		return m, false, err
	}
	m = Merge{"", parents[0], parents[1]}
	m.Base, err = r.mergeBase(ctx, m)
	return m, true, err
}

// mergeBase is what both sides began as; "" where that is nothing.
func (r *Repo) mergeBase(ctx context.Context, m Merge) (string, error) {
	out, err := r.Git(ctx, nil, "merge-base", m.Ours, m.Theirs)
	if ExitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// Differing returns the files below dir (a slash path from the root) that are not the same
// in all three commits, and those that always names.
func (m Merge) Differing(ctx context.Context, r *Repo, dir string, always ...string) (Versions, error) {
	return m.versions(ctx, r, dir, func(path string, same bool) bool { return !same || slices.Contains(always, path) })
}

// At returns the files of these paths below dir.
func (m Merge) At(ctx context.Context, r *Repo, dir string, paths ...string) (Versions, error) {
	return m.versions(ctx, r, dir, func(path string, _ bool) bool { return slices.Contains(paths, path) })
}

func (m Merge) versions(ctx context.Context, r *Repo, dir string, wanted func(path string, same bool) bool) (Versions, error) {
	v := NewVersions()
	var trees [3]map[string]string
	for i, commit := range []string{m.Base, m.Ours, m.Theirs} {
		if commit == "" {
			continue
		}
		var err error
		if trees[i], err = r.TreeAt(ctx, commit, dir); err != nil {
			return v, err
		}
	}
	at := map[string][]func(src []byte){} // by blob
	for i, tree := range trees {
		for path, blob := range tree {
			if wanted(path, trees[0][path] == trees[1][path] && trees[1][path] == trees[2][path]) {
				at[blob] = append(at[blob], func(src []byte) { v.All()[i][path] = append([]byte{}, src...) })
			}
		}
	}
	var lacks error
	err := r.Blobs(ctx, slices.Collect(maps.Keys(at)), func(blob string, src []byte) {
		if src == nil && lacks == nil {
			_, lacks = r.Blob(blob)
		}
		for _, put := range at[blob] {
			put(src)
		}
	})
	return v, cmp.Or(err, lacks)
}
