package resolve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// versions returns the three versions of the files to resolve. During a merge these are the files
// that differ between its commits. If git does not tell the commits, they are the files that the
// index has in conflict. In both cases files with conflict markers are added, and checkpoints that
// are both in active/ and in archive/.
func (r *resolving) versions(ctx context.Context) (log.Versions, error) {
	v := log.NewVersions()
	if r.merging {
		var err error
		r.auto, err = log.Of(r.repo).AutoMerge(ctx, r.prefix)
		if err != nil {
			return v, err
		}
		m, ok, err := log.Of(r.repo).Merging(ctx)
		if err != nil {
			return v, err
		}
		if ok {
			v, err = m.Differing(ctx, r.repo, r.prefix, store.Learnings)
			if err != nil {
				return v, err
			}
			onlyKept(v)
		} else {
			v.Add(r.index)
			r.addMoved(v)
		}
	}
	if err := r.addMarked(ctx, v); err != nil {
		return v, err
	}
	return v, r.addDuplicates(ctx, v)
}

// onlyKept removes files that do not belong to ckpt.
func onlyKept(v log.Versions) {
	for _, files := range v.All() {
		maps.DeleteFunc(files, func(rel string, _ []byte) bool { return !store.Keeps(rel) })
	}
}

// addMoved adds a file that the index does not list: if one side moved a checkpoint, its file at
// the new path has no conflict.
func (r *resolving) addMoved(v log.Versions) {
	has := func(files map[string][]byte, id string) bool {
		sameID := func(src []byte) bool { return workspace.IDIn(src) == id }
		return slices.ContainsFunc(slices.Collect(maps.Values(files)), sameID)
	}
	unmerged := r.index.Paths()
	for _, c := range r.set.All {
		switch {
		case unmerged[c.Path] || !has(r.index.Base, c.ID):
		case !has(v.Ours, c.ID):
			v.Ours[c.Path] = c.Doc.Bytes()
		case !has(v.Theirs, c.ID):
			v.Theirs[c.Path] = c.Doc.Bytes()
		}
	}
}

// addMarked adds the files that contain conflict markers. Their versions are those of the merge
// that left the markers, or else those that the markers separate.
func (r *resolving) addMarked(ctx context.Context, v log.Versions) error {
	suspects := []string{store.Learnings}
	for _, b := range r.set.Broken {
		if errors.Is(b.Err, checkpoint.ErrConflict) {
			suspects = append(suspects, b.Path)
		}
	}
	known := v.Paths()
	for _, rel := range suspects {
		src, err := r.onDisk(rel)
		if err != nil {
			return err
		}
		if known[rel] || src == nil || !inConflict(rel, src) {
			continue
		}
		of := log.NewVersions()
		m, ok, err := log.Of(r.repo).MergeOf(ctx, r.fromRoot(rel))
		if err == nil && ok {
			of, err = m.At(ctx, r.repo, r.prefix, rel)
		}
		if err != nil {
			return err
		}
		if of.Ours[rel] == nil || of.Theirs[rel] == nil {
			of.Base[rel], of.Ours[rel], of.Theirs[rel], _ = merge.Sides(src)
		}
		v.Add(of)
	}
	return nil
}

// addDuplicates adds checkpoints that are both in archive/ and in active/: one side archived them
// and the other changed them.
func (r *resolving) addDuplicates(ctx context.Context, v log.Versions) error {
	known := v.Paths()
	for _, archived := range r.set.Archived() {
		i := slices.IndexFunc(r.set.All, func(c *checkpoint.Checkpoint) bool {
			return c.ID == archived.ID && !checkpoint.InArchive(c.Path)
		})
		if i < 0 || known[archived.Path] || known[r.set.All[i].Path] {
			continue
		}
		active := r.set.All[i]
		if !active.Created().Equal(archived.Created()) {
			r.remarks = append(r.remarks, fmt.Sprintf("%s and %s have the same id: give one another id (ckpt edit)",
				r.fromRoot(active.Path), r.fromRoot(archived.Path)))
			continue
		}
		v.Ours[archived.Path], v.Theirs[active.Path] = archived.Doc.Bytes(), active.Doc.Bytes()
		m, ok, err := log.Of(r.repo).LastMerge(ctx)
		if err != nil || !ok {
			return err
		}
		was, err := m.At(ctx, r.repo, r.prefix, archived.Path, active.Path)
		if err != nil {
			return err
		}
		for rel, src := range was.Base {
			if workspace.IDIn(src) == archived.ID {
				v.Base[rel] = src
			}
		}
	}
	return nil
}
