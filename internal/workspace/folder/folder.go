// Package folder compares the checkpoints folder of a worktree with the last commit: the newest one of the checkpoint
// ref or, without a ref, HEAD.
package folder

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// Folder is the checkpoints folder of a repository. It is not changed once it is in use.
type Folder struct {
	Repo     *git.Repo
	Store    *store.Store // may read other files in place of those on disk
	Prefix   string       // the folder in the trees of commits, as a slash path
	FilesDir string       // the worktree's folder with the files: [checkout.Apart] in ref mode, otherwise Prefix

	// Commits is Repo with the checkpoint ref in place of HEAD. It is Repo itself if the files are on the branches of
	// the code and there has been no operation.
	Commits *git.Repo

	edited map[string]bool // the files with edits by hand that the store reads in place of those on disk
}

// With returns the folder with a store that reads files in place of those on disk. Edited has those with hand edits.
func (f *Folder) With(files store.Overlay, edited map[string]bool) *Folder {
	with := *f
	with.Store, with.edited = f.Store.With(files), edited
	return &with
}

// OnRef reports whether Commits reads from the checkpoint ref, not from HEAD.
func (f *Folder) OnRef() bool { return f.Commits != f.Repo }

// InTree returns a path of the folder as a slash path in the trees of commits.
func (f *Folder) InTree(rel string) string { return f.Prefix + "/" + rel }

// FromRoot returns a path of the folder as a slash path from the worktree's root.
func (f *Folder) FromRoot(rel string) string { return f.FilesDir + "/" + rel }

// Edits returns the files of the folder, or only of active/, that differ from the last commit.
func (f *Folder) Edits(ctx context.Context, scope store.Scope) ([]change.File, error) {
	tree, failed := f.Committed(scope)
	paths, err := f.Store.Files(scope)
	if err := cmp.Or(failed, err); err != nil {
		return nil, err
	}
	var edits []change.File
	for _, rel := range paths {
		if !checkout.Written(rel) && !f.besides(rel) {
			continue
		}
		name := tree[rel]
		delete(tree, rel)
		if f.Store.IsPending(rel) && !f.edited[rel] {
			continue
		}
		src, err := f.Store.Read(rel)
		if err != nil {
			continue // every listing reports that the file cannot be read
		}
		same, err := f.sameAs(rel, src, name)
		if err != nil {
			return nil, err
		}
		if same || !f.edited[rel] && f.isAtHead(ctx, rel, src) {
			continue
		}
		before, err := f.Repo.Objects().Blob(name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, change.File{Path: rel, Before: before, After: src})
	}
	maps.DeleteFunc(tree, func(rel, _ string) bool { // a path that exists, but was not listed, is a link of the user
		return !store.Keeps(rel) || f.Store.IsPending(rel) || f.Store.Has(rel)
	})
	skipped, err := f.skipped(ctx, tree)
	if err != nil {
		return nil, err
	}
	for rel, name := range tree { // the files that are missing on disk
		if skipped[f.FromRoot(rel)] || f.isAtHead(ctx, rel, nil) {
			continue
		}
		src, err := f.Repo.Objects().Blob(name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, change.File{Path: rel, Before: src})
	}
	slices.SortFunc(edits, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return edits, nil
}

// Committed returns the hashes of the folder's files in the last commit, by their paths in the folder. With the scope
// Live it returns only those of active/.
func (f *Folder) Committed(scope store.Scope) (map[string]string, error) {
	if scope == store.All {
		files, err := f.Commits.Objects().Tree(f.Prefix)
		maps.DeleteFunc(files, func(rel, _ string) bool { return !checkout.Written(rel) })
		if err == nil && f.onBranch() {
			var besides map[string]string
			besides, err = f.committedAt(context.Background(), branchFiles)
			maps.Copy(files, besides)
		}
		return files, err
	}
	active, err := f.Commits.Objects().Tree(f.InTree(store.Active))
	files := make(map[string]string, len(active))
	for rel, name := range active {
		files[store.Active+"/"+rel] = name
	}
	return files, err
}

// onBranch reports whether the branches of the code have the files.
func (f *Folder) onBranch() bool { return f.FilesDir == f.Prefix }

// branchFiles are the files that are on the code's branches, not on the ref.
var branchFiles = []string{store.ConfigFile, store.Attributes}

// besides reports whether the branches of the code have the files, and rel is one of branchFiles.
func (f *Folder) besides(rel string) bool { return f.onBranch() && slices.Contains(branchFiles, rel) }

// committedAt returns the hashes of the files in the last commit, by path. It leaves out files that are not in it.
func (f *Folder) committedAt(ctx context.Context, paths []string) (map[string]string, error) {
	inTree := make([]string, len(paths))
	for i, rel := range paths {
		inTree[i] = f.InTree(rel)
	}
	onRef, err := f.Commits.Objects().HeadEntries(ctx, inTree)
	onBranch := onRef
	if err == nil && f.OnRef() && slices.ContainsFunc(paths, f.besides) {
		onBranch, err = f.Repo.Objects().HeadEntries(ctx, inTree)
	}
	found := map[string]string{}
	for i, rel := range paths {
		e := onRef[inTree[i]]
		if f.besides(rel) {
			e = onBranch[inTree[i]]
		} else if !checkout.Written(rel) {
			continue
		}
		if e.Regular() {
			found[rel] = e.Hash
		}
	}
	return found, err
}

// Lacks returns the files whose content in the last commit differs. Their paths are relative to the folder.
func (f *Folder) Lacks(ctx context.Context, files []change.File) ([]change.File, error) {
	committed, err := f.committedAt(ctx, change.Paths(files))
	if err != nil {
		return nil, err
	}
	var other []change.File
	for _, c := range files {
		same, err := f.sameAs(c.Path, c.After, committed[c.Path])
		if err != nil {
			return nil, err
		}
		if !same {
			other = append(other, c)
		}
	}
	return other, nil
}

// sameAs reports whether a file on disk has the content of a blob, apart from the mark of the current
// checkpoint and the line ends that git converts.
func (f *Folder) sameAs(rel string, src []byte, blob string) (bool, error) {
	same, err := checkout.Same(f.Repo, rel, src, blob)
	if same || err != nil || !f.onBranch() {
		return same, err
	}
	stored, err := checkout.Stored(f.Repo, f.FromRoot(rel), src)
	if err != nil || change.Same(stored, src) {
		return false, err
	}
	return checkout.Same(f.Repo, rel, stored, blob)
}

// LastCommitted returns a file's content in the last commit; nil if the file is not in it.
func (f *Folder) LastCommitted(ctx context.Context, rel string) ([]byte, error) {
	at, err := f.committedAt(ctx, []string{rel})
	if err != nil {
		return nil, err
	}
	return f.Repo.Objects().Blob(at[rel])
}

// skipped returns the files that a sparse checkout leaves out, by their paths from the root.
func (f *Folder) skipped(ctx context.Context, files map[string]string) (map[string]bool, error) {
	if len(files) == 0 || !f.onBranch() {
		return nil, nil
	}
	var paths []string
	for rel := range files {
		paths = append(paths, f.FromRoot(rel))
	}
	return f.Repo.Index().Skipped(ctx, paths)
}

// isAtHead reports whether HEAD has a file with this content, or no file if src is nil. If so, the file was not
// edited by hand, even if the ref has another version.
func (f *Folder) isAtHead(ctx context.Context, rel string, src []byte) bool {
	if !f.onBranch() || !checkout.Written(rel) {
		return false
	}
	head, err := f.Repo.Head()
	if err != nil {
		return false
	}
	blob, err := f.Repo.Objects().FileAt(ctx, head.Hash, f.InTree(rel))
	return err == nil && change.Same(checkout.Shared(rel, blob), checkout.Shared(rel, src))
}

// Conflicts returns the files of ckpt with a merge conflict: their paths from the root, sorted.
func (f *Folder) Conflicts(ctx context.Context) ([]string, error) {
	unmerged, err := log.Of(f.Repo).Unmerged(ctx, f.Prefix)
	var paths []string
	for _, rel := range slices.Sorted(maps.Keys(unmerged.Paths())) {
		if store.Keeps(rel) {
			paths = append(paths, f.FromRoot(rel))
		}
	}
	return paths, err
}

// ConflictRemark returns a remark on the files in conflict, of which readers see only one side. It is empty if there
// are none.
func (f *Folder) ConflictRemark(ctx context.Context) (string, error) {
	if f.Repo.InProgress() == "" {
		return "", nil
	}
	paths, err := f.Conflicts(ctx)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	return "in conflict, read as your own side has it: " + strings.Join(paths, ", ") + " (ckpt resolve)", nil
}
