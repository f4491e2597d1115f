package project

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// Lost is a checkpoint that a merge has lost, or put into the wrong one of active/ and
// archive/.
type Lost struct {
	ID     string
	Result string        // the commit that lost it
	Sides  []lostVersion // of the sides that have it, the newer first; without one that the other has grown from
	Base   lostVersion   // that both sides began with; empty where there is none
	At     string        // where the result has it, if it is in the wrong folder; empty if it is not there
}

// lostVersion is the commit that has a checkpoint, and its file there.
type lostVersion struct{ commit, path, blob string }

// LostInMerge returns the checkpoints that a merge has lost: those that ours or theirs has,
// that result lacks, and that no commit of one side has removed on purpose. It also
// returns those that result has in the wrong folder. All four are commits; an empty base
// is looked up. Only files that differ between a side and the result are read.
func (p *Project) LostInMerge(ctx context.Context, base, ours, theirs, result string) ([]Lost, error) {
	return p.newMergeCheck(ctx).run(git.Merge{Base: base, Ours: ours, Theirs: theirs}, result)
}

// mergeCheck looks for checkpoints that merges have lost.
type mergeCheck struct {
	ctx context.Context
	p   *Project
	ids map[string]string // by blob: the id, empty for a file that is not a checkpoint, or unknownID
}

// unknownID stands for the id in a file that cannot be read: the name of the file tells it.
const unknownID = "?"

func (p *Project) newMergeCheck(ctx context.Context) *mergeCheck {
	return &mergeCheck{ctx: ctx, p: p, ids: map[string]string{}}
}

// folderAt is the checkpoints folder in a commit.
type folderAt struct {
	commit string
	blobs  map[string]string   // of files that may be checkpoints, by path
	named  map[string][]string // their paths, by the last part
	files  map[string]string   // paths, by the ids that were looked for
}

// run checks one merge.
func (m *mergeCheck) run(of git.Merge, result string) ([]Lost, error) {
	ours, err := m.folder(of.Ours)
	if err != nil {
		return nil, err
	}
	theirs, err := m.folder(of.Theirs)
	if err != nil {
		return nil, err
	}
	made, err := m.folder(result)
	if err != nil {
		return nil, err
	}
	names, err := m.differing(made, ours, theirs)
	if len(names) == 0 || err != nil {
		return nil, err
	}
	for _, f := range []*folderAt{ours, theirs, made} {
		if err := m.find(f, names); err != nil {
			return nil, err
		}
	}
	removed := func(id string) bool {
		gone, removedErr := m.removed(ours, theirs, id)
		err = errors.Join(err, removedErr)
		return gone
	}
	missing := merge.Missing(ours.places(), theirs.places(), made.places(), func(string) bool { return false })
	if len(missing) > 0 {
		if err := m.findRenamed(made, missing, ours, theirs); err != nil {
			return nil, err
		}
		missing = merge.Missing(ours.places(), theirs.places(), made.places(), removed)
	}
	if err != nil || len(missing) == 0 && samePlaces(ours, theirs, made) {
		return nil, err
	}
	if of.Base == "" {
		if of.Base, err = m.p.Repo.MergeBase(m.ctx, of.Ours, of.Theirs); err != nil {
			return nil, err
		}
	}
	base, err := m.folder(of.Base)
	if err == nil {
		err = m.find(base, names)
	}
	if err != nil {
		return nil, err
	}
	var all []Lost
	for _, id := range append(missing, merge.Misplaced(base.places(), ours.places(), theirs.places(), made.places())...) {
		l := Lost{ID: id, Result: result, Base: base.version(id), At: made.files[id]}
		if l.Sides, err = m.sides(l.Base, ours.version(id), theirs.version(id)); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

func (m *mergeCheck) folder(commit string) (*folderAt, error) {
	f := &folderAt{commit: commit, blobs: map[string]string{}, named: map[string][]string{}, files: map[string]string{}}
	if commit == "" {
		return f, nil
	}
	tree, err := m.p.Repo.TreeAt(m.ctx, commit, m.p.prefix)
	for rel, blob := range tree {
		if store.Listed(rel) {
			f.blobs[rel] = blob
			f.named[path.Base(rel)] = append(f.named[path.Base(rel)], rel)
		}
	}
	return f, err
}

// version is the version of a checkpoint that was looked for.
func (f *folderAt) version(id string) lostVersion {
	rel, ok := f.files[id]
	if !ok {
		return lostVersion{}
	}
	return lostVersion{f.commit, rel, f.blobs[rel]}
}

func (f *folderAt) places() merge.Places {
	places := merge.Places{}
	for id, rel := range f.files {
		places[id] = checkpoint.InArchive(rel)
	}
	return places
}

// samePlaces reports whether the sides have every checkpoint of the result where the
// result has it.
func samePlaces(ours, theirs, made *folderAt) bool {
	at := made.places()
	for _, side := range []*folderAt{ours, theirs} {
		for id, archived := range side.places() {
			if there, ok := at[id]; ok && there != archived {
				return false
			}
		}
	}
	return true
}

// differing returns what the files are called that a side has otherwise than the result,
// by the ids of the checkpoints in them.
func (m *mergeCheck) differing(made *folderAt, sides ...*folderAt) (map[string][]string, error) {
	names := map[string][]string{}
	for _, side := range sides {
		var paths []string
		for rel, blob := range side.blobs {
			if made.blobs[rel] != blob {
				paths = append(paths, rel)
			}
		}
		if err := m.read(side, paths); err != nil {
			return nil, err
		}
		for _, rel := range paths {
			if id, name := m.id(side, rel), path.Base(rel); id != "" && !slices.Contains(names[id], name) {
				names[id] = append(names[id], name)
			}
		}
	}
	return names, nil
}

// find finds the files of checkpoints that are called by one of the names.
func (m *mergeCheck) find(f *folderAt, names map[string][]string) error {
	var paths []string
	for _, called := range names {
		for _, name := range called {
			paths = append(paths, f.named[name]...)
		}
	}
	if err := m.read(f, paths); err != nil {
		return err
	}
	slices.Sort(paths)
	for _, rel := range slices.Backward(paths) { // of two files the one in active/
		if id := m.id(f, rel); names[id] != nil {
			f.files[id] = rel
		}
	}
	return nil
}

// findRenamed looks for checkpoints in every file that the result has otherwise than one of
// the sides.
func (m *mergeCheck) findRenamed(made *folderAt, ids []string, sides ...*folderAt) error {
	var paths []string
	for rel, blob := range made.blobs {
		if slices.ContainsFunc(sides, func(side *folderAt) bool { return side.blobs[rel] != blob }) {
			paths = append(paths, rel)
		}
	}
	if err := m.read(made, paths); err != nil {
		return err
	}
	for _, rel := range paths {
		if id := m.id(made, rel); slices.Contains(ids, id) {
			made.files[id] = rel
		}
	}
	return nil
}

// read reads the ids of those files that are not known yet.
func (m *mergeCheck) read(f *folderAt, paths []string) error {
	fresh := map[string]bool{}
	for _, rel := range paths {
		if _, known := m.ids[f.blobs[rel]]; !known {
			fresh[f.blobs[rel]] = true
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return m.p.Repo.Blobs(m.ctx, slices.Sorted(maps.Keys(fresh)), func(name string, src []byte) {
		c, err := checkpoint.Parse("", src)
		switch {
		case src == nil: // not in this clone
			m.ids[name] = unknownID
		case err == nil:
			m.ids[name] = c.ID
		case errors.Is(err, checkpoint.ErrOther):
			m.ids[name] = ""
		default:
			m.ids[name] = unknownID
		}
	})
}

// id returns the id of a file that was read.
func (m *mergeCheck) id(f *folderAt, rel string) string {
	if id := m.ids[f.blobs[rel]]; id != unknownID {
		return id
	}
	return stem(rel)
}

// sides returns the versions of both sides, the newer first, without one that is empty or
// that the other has grown from.
func (m *mergeCheck) sides(base, ours, theirs lostVersion) ([]lostVersion, error) {
	switch {
	case theirs.blob == "", ours.blob == theirs.blob, ours.blob != "" && theirs.blob == base.blob:
		return []lostVersion{ours}, nil
	case ours.blob == "", ours.blob == base.blob:
		return []lostVersion{theirs}, nil
	}
	our, err := m.p.Repo.LastTouched(m.ctx, ours.commit, m.p.fromRoot(ours.path))
	if err != nil {
		return nil, err
	}
	their, err := m.p.Repo.LastTouched(m.ctx, theirs.commit, m.p.fromRoot(theirs.path))
	if their.After(our) || their.Equal(our) && theirs.commit > ours.commit {
		ours, theirs = theirs, ours
	}
	return []lostVersion{ours, theirs}, err
}
