package resolve

import (
	"context"
	"errors"
	"maps"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace/store"
)

// versions returns the three versions of the files to resolve. During a merge these are the files
// that differ between its commits, or, if git does not tell the commits, the files that the index has
// in conflict. Files with conflict markers are always among them.
func (r *resolving) versions(ctx context.Context) (log.Versions, error) {
	v := log.NewVersions()
	if r.merging {
		var err error
		r.auto, err = log.Of(r.Repo).AutoMerge(ctx, r.Prefix)
		if err != nil {
			return v, err
		}
		m, ok, err := log.Of(r.Repo).Merging(ctx)
		if err != nil {
			return v, err
		}
		if ok {
			v, err = m.Differing(ctx, r.Repo, r.Prefix, store.Learnings)
			if err != nil {
				return v, err
			}
			onlyKept(v)
			takes := r.Repo.InProgress() == "merge" && !r.stale && len(r.before.Broken) == 0
			if unseen, err := r.Files().IsUnseen(ctx, m.Theirs); takes && !unseen && err == nil {
				r.stored = r.before
			}
		} else {
			v.Add(r.index)
			r.addMoved(v)
		}
	}
	return v, r.addMarked(v)
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
		sameID := func(src []byte) bool { return checkpoint.IDIn(src) == id }
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

// addMarked adds the files that contain conflict markers. Their versions are
// the text between the markers.
func (r *resolving) addMarked(v log.Versions) error {
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
		v.Base[rel], v.Ours[rel], v.Theirs[rel], _ = merge.Sides(src)
	}
	return nil
}
