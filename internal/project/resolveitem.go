package project

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/store"
)

// item is one checkpoint wherever it is, or another file, that a merge is about.
type item struct {
	id       string
	paths    []string          // wherever a version, the index or the disk has it
	versions [3]place          // base, ours, theirs; the zero value for none
	disk     map[string][]byte // by path
	unmerged bool              // git could not merge one of the paths
	merged   []place           // the result; several only where checkpoints share the id
	found    []merge.Note      // about the result
	conflict bool              // the merge could not settle it
}

// place is a file of a version.
type place struct {
	path string
	src  []byte
}

// called reports whether a user who types name means this item.
func (it *item) called(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	if it.id != "" && (it.id == name || it.id == "chk-"+name) {
		return true
	}
	return slices.ContainsFunc(it.paths, func(rel string) bool { return name == rel || strings.HasSuffix(name, "/"+rel) })
}

// isVersion reports whether src is as one of the versions has it.
func (it *item) isVersion(src []byte) bool {
	return slices.ContainsFunc(it.versions[:], func(v place) bool { return v.src != nil && bytes.Equal(v.src, src) })
}

// pair makes the items: what the versions, the index and the disk have of one checkpoint
// belongs together.
func (r *resolving) pair() ([]*item, error) {
	var all []*item
	named := map[string]string{} // by path, the id that some version has there
	r.byID, r.byPath, r.onDisk = map[string]*item{}, map[string]*item{}, map[string]bool{}
	at := func(rel string, src []byte) *item {
		id := ""
		if isCheckpointPath(rel) {
			id = cmp.Or(idIn(src), named[rel])
		}
		it := r.byID[id]
		if id == "" {
			it = r.byPath[rel]
		}
		if it == nil {
			it = &item{id: id, disk: map[string][]byte{}}
			all = append(all, it)
		}
		if id != "" {
			r.byID[id] = it
		}
		if !slices.Contains(it.paths, rel) {
			it.paths = append(it.paths, rel)
			r.byPath[rel] = it
		}
		return it
	}
	for _, files := range r.versions.All() {
		for rel, src := range files {
			named[rel] = cmp.Or(named[rel], idIn(src))
		}
	}
	for i, files := range r.versions.All() {
		for _, rel := range slices.Sorted(maps.Keys(files)) {
			at(rel, files[rel]).versions[i] = place{rel, files[rel]}
		}
	}
	unmerged, paths := r.index.Paths(), r.versions.Paths()
	maps.Copy(paths, unmerged)
	for _, c := range r.set.All {
		if r.byID[c.ID] != nil {
			paths[c.Path] = true
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(paths)) {
		src, err := r.Store.OnDisk(rel)
		if err != nil {
			return nil, err
		}
		it := at(rel, src)
		it.unmerged = it.unmerged || unmerged[rel]
		if src != nil {
			it.disk[rel], r.onDisk[rel] = src, true
		}
	}
	return all, nil
}

// merge merges the versions. Where one side moved a checkpoint, and a side's file was edited
// since, the edited file is that side's version.
func (r *resolving) merge(ctx context.Context, all []*item) error {
	for _, it := range all {
		for i := range it.versions {
			at := it.versions[i].path
			src := it.disk[at]
			if i == 0 || src == nil || it.versions[1].path == it.versions[2].path || inConflict(at, src) || it.isVersion(src) || !r.touched(at, src) {
				continue
			}
			it.versions[i].src = src
			r.versions.All()[i][at] = src
		}
	}
	merged, err := merge.Sets(r.versions.Base, r.versions.Ours, r.versions.Theirs, merge.Options{Text: r.lines(ctx)})
	if err != nil {
		return err
	}
	targets := map[string]*item{}
	for _, rel := range slices.Sorted(maps.Keys(merged.Files)) {
		src := merged.Files[rel]
		it := r.byID[idIn(src)]
		if it == nil {
			it = r.byPath[rel]
		}
		if it == nil {
			continue
		}
		it.merged = append(it.merged, place{rel, src})
		targets[rel] = it
	}
	for _, f := range merged.Notes {
		if it := targets[f.Path]; it != nil {
			it.found = append(it.found, f)
		}
	}
	for _, rel := range merged.Conflicts {
		if it := targets[rel]; it != nil {
			it.conflict = true
		}
	}
	r.targets = targets
	return nil
}

// settle makes the disk, and the index, hold the result of an item, unless the user resolved
// it by hand.
func (r *resolving) settle(ctx context.Context, it *item) error {
	switch {
	case it.conflict:
		return r.left(it)
	case len(it.merged) == 0:
		return r.deleted(it)
	case len(it.merged) > 1:
		return r.several(it)
	}
	to, src := it.merged[0].path, it.merged[0].src
	found, here := it.disk[to]
	alone := here && len(it.disk) == 1
	var err error
	switch {
	case len(it.disk) == 0 && r.removed(it):
		if !it.unmerged {
			return nil
		}
		r.say(to, it.id, "deleted")
		return r.move(it, to, nil)
	case alone && !it.unmerged && bytes.Equal(found, src):
		return nil
	case alone && r.touched(to, found) && inConflict(to, found):
		src, err = r.begun(ctx, it, to, found)
	case alone && r.touched(to, found):
		return r.byHand(it, to, found)
	}
	if err != nil {
		return err
	}
	r.say(to, it.id, r.how(it))
	return r.move(it, to, src)
}

// deleted removes what neither side has any more, unless it was edited since.
func (r *resolving) deleted(it *item) error {
	for rel, src := range it.disk {
		if !it.isVersion(src) && !inConflict(rel, src) {
			r.say(rel, it.id, "deleted, and edited since: it stays")
			return r.move(it, rel, src)
		}
	}
	if len(it.disk) > 0 {
		r.say(it.paths[0], it.id, "deleted")
	}
	return r.move(it, "", nil)
}

// several writes the checkpoints that share an id: each stays, and the user has to give one
// of them another id.
func (r *resolving) several(it *item) error {
	for _, m := range it.merged {
		if src, here := it.disk[m.path]; here && !inConflict(m.path, src) {
			if !it.unmerged {
				continue
			}
			m.src = src
		}
		r.say(m.path, it.id, "one of several with the same id: give it another one (ckpt edit)")
		if err := r.want(m.path, m.src); err != nil {
			return err
		}
	}
	return r.clear(it, "")
}

// move makes the file at to contain src (nil: removes it), and removes the other files of the
// item.
func (r *resolving) move(it *item, to string, src []byte) error {
	if err := r.clear(it, to); err != nil || to == "" {
		return err
	}
	if err := r.want(to, src); err != nil || it.id == "" || src == nil || !checkpoint.InArchive(to) {
		return err
	}
	return r.harvest(to, src)
}

// clear removes the files of an item, but for the one at to and those of the result, and
// settles every path of it, also one that no side has any more.
func (r *resolving) clear(it *item, to string) error {
	unmerged := r.index.Paths()
	for _, rel := range it.paths {
		if _, here := it.disk[rel]; rel == to || r.targets[rel] != nil || !here && !unmerged[rel] {
			continue
		}
		if err := r.want(rel, nil); err != nil {
			return err
		}
	}
	return nil
}

// harvest adds the learnings of an archived checkpoint to LEARNINGS.md.
func (r *resolving) harvest(rel string, src []byte) error {
	c, err := checkpoint.Parse(rel, src)
	if err != nil || len(c.Learnings()) == 0 {
		return nil
	}
	bullets, err := r.wanted(store.Learnings)
	if err != nil {
		return err
	}
	if out := learnings.Add(bullets, c.ID, c.Completed(), c.Learnings()); !bytes.Equal(out, bullets) {
		return r.want(store.Learnings, out)
	}
	return nil
}
