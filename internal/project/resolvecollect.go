package project

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// collect finds the versions of what the merge is about: as its three commits have them,
// else as the index has them. Outside of a merge these are the files with markers, and the
// checkpoints that are in active/ and in archive/.
func (r *resolving) collect(ctx context.Context) (err error) {
	if r.index, err = r.Repo.Unmerged(ctx, r.prefix); err != nil {
		return err
	}
	leaveOurs(r.index)
	r.versions = git.NewVersions()
	if len(r.index.Paths()) > 0 || r.Repo.InProgress() == "merge" {
		r.o.merging = true
		if r.auto, err = r.Repo.AutoMerge(ctx, r.prefix); err != nil {
			return err
		}
		m, ok, err := r.Repo.Merging(ctx)
		if err != nil {
			return err
		}
		if ok {
			if r.versions, err = m.Differing(ctx, r.Repo, r.prefix, store.Learnings); err != nil {
				return err
			}
			leaveOurs(r.versions)
		} else {
			r.versions.Add(r.index)
			r.elsewhere()
		}
	}
	if err := r.marked(ctx); err != nil {
		return err
	}
	return r.twins(ctx)
}

// leaveOurs removes the files that are not ckpt's.
func leaveOurs(v git.Versions) {
	for _, files := range v.All() {
		maps.DeleteFunc(files, func(rel string, _ []byte) bool { return !store.Keeps(rel) })
	}
}

// elsewhere adds what the index does not tell: the file of the side that moved a checkpoint
// to where git has no conflict.
func (r *resolving) elsewhere() {
	has := func(files map[string][]byte, id string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(files)), func(src []byte) bool { return idIn(src) == id })
	}
	unmerged := r.index.Paths()
	for _, c := range r.set.All {
		if unmerged[c.Path] || !has(r.index.Base, c.ID) {
			continue
		}
		for _, files := range []map[string][]byte{r.versions.Ours, r.versions.Theirs} {
			if !has(files, c.ID) {
				files[c.Path] = c.Doc.Bytes()
				break
			}
		}
	}
}

// marked adds the files in which markers were left: what was merged is in the history of the
// merge that left them, else in the file itself.
func (r *resolving) marked(ctx context.Context) error {
	suspects := []string{store.Learnings, store.ActiveIndex, store.ArchiveIndex}
	for _, b := range r.set.Broken {
		if errors.Is(b.Err, checkpoint.ErrConflict) {
			suspects = append(suspects, b.Path)
		}
	}
	known := r.versions.Paths()
	for _, rel := range suspects {
		src, err := r.Store.OnDisk(rel)
		if err != nil {
			return err
		}
		if known[rel] || src == nil || !inConflict(rel, src) {
			continue
		}
		v := git.NewVersions()
		m, ok, err := r.Repo.MergeOf(ctx, r.fromRoot(rel))
		if err == nil && ok {
			v, err = m.At(ctx, r.Repo, r.prefix, rel)
		}
		if err != nil {
			return err
		}
		if v.Ours[rel] == nil || v.Theirs[rel] == nil {
			v.Base[rel], v.Ours[rel], v.Theirs[rel], _ = merge.Sides(src)
		}
		r.versions.Add(v)
	}
	return nil
}

// twins adds checkpoints that are in archive/ and in active/: one side archived it, the
// other went on with it.
func (r *resolving) twins(ctx context.Context) error {
	known := r.versions.Paths()
	for _, done := range r.set.Archived() {
		i := slices.IndexFunc(r.set.All, func(c *checkpoint.Checkpoint) bool { return c.ID == done.ID && !checkpoint.InArchive(c.Path) })
		if i < 0 || known[done.Path] || known[r.set.All[i].Path] {
			continue
		}
		open := r.set.All[i]
		if !open.Created().Equal(done.Created()) {
			r.o.remarks = append(r.o.remarks, fmt.Sprintf("%s and %s have the same id: give one another id (ckpt edit)", r.fromRoot(open.Path), r.fromRoot(done.Path)))
			continue
		}
		r.versions.Ours[done.Path], r.versions.Theirs[open.Path] = done.Doc.Bytes(), open.Doc.Bytes()
		m, ok, err := r.Repo.LastMerge(ctx)
		if err != nil || !ok {
			return err
		}
		was, err := m.At(ctx, r.Repo, r.prefix, done.Path, open.Path)
		if err != nil {
			return err
		}
		for _, rel := range []string{done.Path, open.Path} {
			if idIn(was.Base[rel]) == done.ID {
				r.versions.Base[rel] = was.Base[rel]
			}
		}
	}
	return nil
}
