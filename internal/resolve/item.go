package resolve

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// item is a merged checkpoint, or another merged file, with its files on disk.
type item struct {
	merge.Item
	paths    []string          // all paths at which a version, the index or the disk has the item
	disk     map[string][]byte // its files on disk by path
	unmerged bool              // the index has a conflict at one of the paths
	shared   bool              // another checkpoint has the same id
}

func newItem(m merge.Item) *item {
	it := &item{Item: m, disk: map[string][]byte{}}
	for _, f := range []merge.File{m.Base, m.Ours, m.Theirs} {
		it.addPath(f.Path)
	}
	return it
}

func (it *item) addPath(rel string) {
	if rel != "" && !slices.Contains(it.paths, rel) {
		it.paths = append(it.paths, rel)
	}
}

// isCalled reports whether a name on the command line means the item.
func (it *item) isCalled(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	if it.ID != "" && (it.ID == name || it.ID == "chk-"+name) {
		return true
	}
	return slices.ContainsFunc(it.paths, func(rel string) bool { return name == rel || strings.HasSuffix(name, "/"+rel) })
}

// isVersion reports whether src equals one of the versions of a file.
func isVersion(m merge.Item, src []byte) bool {
	return slices.ContainsFunc([]merge.File{m.Base, m.Ours, m.Theirs}, func(f merge.File) bool {
		return f.Path != "" && bytes.Equal(f.Bytes, src)
	})
}

// items merges the versions and finds the files on disk that belong to each item.
func (s *settler) items(v log.Versions) ([]*item, error) {
	merged, err := merge.Sets(v.Base, v.Ours, v.Theirs, s.text)
	if err != nil {
		return nil, err
	}
	edited, err := s.useEdits(v, merged.Items)
	if err == nil && edited {
		merged, err = merge.Sets(v.Base, v.Ours, v.Theirs, s.text)
	}
	if err != nil {
		return nil, err
	}
	s.takeStored(merged)
	s.merged = merged.Files
	items, byID := []*item{}, map[string]*item{}
	for _, m := range merged.Items {
		it := newItem(m)
		if other := byID[m.ID]; m.ID != "" && other != nil {
			it.shared, other.shared = true, true
		}
		items, byID[m.ID] = append(items, it), it
	}
	unmerged, paths := s.index.Paths(), v.Paths()
	maps.Copy(paths, unmerged)
	for _, c := range s.set.All {
		if byID[c.ID] != nil {
			paths[c.Path] = true
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(paths)) {
		src, err := s.onDisk(rel)
		if err != nil {
			return nil, err
		}
		it := itemOf(items, rel, src)
		if it == nil {
			it = newItem(merge.Item{ID: checkpoint.IDIn(src)})
			items = append(items, it)
		}
		it.addPath(rel)
		it.unmerged = it.unmerged || unmerged[rel]
		if src != nil {
			it.disk[rel] = src
		}
	}
	return items, nil
}

// itemOf returns the item to which a file on disk belongs, or nil.
func itemOf(items []*item, rel string, src []byte) *item {
	id := checkpoint.IDIn(src)
	var found *item
	for _, it := range items {
		switch {
		case id != "" && it.ID != id, id == "" && !slices.Contains(it.paths, rel):
		case it.Merged.Path == rel:
			return it
		case found == nil:
			found = it
		}
	}
	return found
}

// useEdits handles a checkpoint that one side moved and whose file the user has edited since the
// merge: the edited file replaces the version of its side. It reports whether it found such a file.
func (s *settler) useEdits(v log.Versions, items []merge.Item) (bool, error) {
	edited := false
	for _, m := range items {
		if m.Ours.Path == m.Theirs.Path {
			continue
		}
		for side, f := range []merge.File{m.Ours, m.Theirs} {
			if f.Path == "" {
				continue
			}
			src, err := s.onDisk(f.Path)
			if err != nil {
				return false, err
			}
			own := src != nil && cmp.Or(checkpoint.IDIn(src), m.ID) == m.ID
			changed := own && !isVersion(m, src) && s.isEdited(f.Path, src)
			if changed && !inConflict(f.Path, src) {
				v.All()[side+1][f.Path] = src
				edited = true
			}
		}
	}
	return edited, nil
}

// isEdited reports whether a file on disk differs from the file that git wrote. It also reports true if
// the latter is unknown.
func (s *settler) isEdited(rel string, src []byte) bool {
	if s.auto[rel] == "" {
		return true
	}
	wrote, err := s.blob(s.auto[rel])
	lf := func(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")) }
	return err != nil || !bytes.Equal(lf(wrote), lf(src))
}

// isRemoved reports whether the file of an item is missing on disk because the user removed it, and
// not git. An unmerged item that both sides have does not count as removed.
func (s *settler) isRemoved(it *item) (bool, error) {
	wrote := s.auto == nil
	for _, rel := range it.paths {
		if src, err := s.onDisk(rel); src != nil || err != nil {
			return false, err // another checkpoint is at that path
		}
		wrote = wrote || s.auto[rel] != ""
	}
	return wrote && (!it.unmerged || it.Ours.Path == "" || it.Theirs.Path == ""), nil
}

// settle writes the result of an item, unless the user has resolved it by hand.
func (s *settler) settle(it *item) error {
	to, src := it.Merged.Path, it.Merged.Bytes
	switch {
	case it.Conflict:
		return s.leave(it)
	case to == "":
		return s.settleDeleted(it)
	case it.shared:
		return s.settleShared(it)
	}
	if len(it.disk) == 0 {
		removed, err := s.isRemoved(it)
		if err != nil {
			return err
		}
		if removed && it.unmerged {
			s.reportFile(to, it.ID, "deleted")
			return s.move(it, to, nil)
		}
		if removed {
			return nil
		}
	}
	found, here := it.disk[to]
	if here && len(it.disk) == 1 {
		switch {
		case !it.unmerged && bytes.Equal(found, src):
			return nil
		case !s.isEdited(to, found):
		case !inConflict(to, found):
			return s.settleEdited(it, found)
		default:
			var err error
			src, err = s.mergeMarkers(it, found)
			if err != nil {
				return err
			}
		}
	}
	s.reportFile(to, it.ID, s.describe(it))
	return s.move(it, to, src)
}

// settleDeleted removes a file that both sides have removed, unless it was edited since.
func (s *settler) settleDeleted(it *item) error {
	for rel, src := range it.disk {
		if !isVersion(it.Item, src) && !inConflict(rel, src) {
			s.reportFile(rel, it.ID, "deleted, and edited since: it stays")
			return s.move(it, rel, src)
		}
	}
	if len(it.disk) > 0 {
		s.reportFile(it.paths[0], it.ID, "deleted")
	}
	return s.move(it, "", nil)
}

// settleShared writes one of several checkpoints with the same id. The user has to give the others
// new ids.
func (s *settler) settleShared(it *item) error {
	to, src := it.Merged.Path, it.Merged.Bytes
	if found, here := it.disk[to]; here && !inConflict(to, found) {
		if !it.unmerged {
			return nil
		}
		src = found
	}
	s.reportFile(to, it.ID, "one of several with the same id: give it another one (ckpt edit)")
	return s.move(it, to, src)
}

// settleEdited keeps a file without markers that the user resolved or edited. If it was in
// conflict, it must be readable and have the decisions, deltas and learnings of both sides. An
// unchanged copy of one side that lacks some of them is replaced by the merge.
func (s *settler) settleEdited(it *item, src []byte) error {
	to, want := it.Merged.Path, it.Merged.Bytes
	lacks := missing(src, want)
	unreadable := merge.Readable(to, src)
	switch {
	case !it.unmerged:
		return nil
	case bytes.Equal(src, want), len(lacks) > 0 && isVersion(it.Item, src):
		s.reportFile(to, it.ID, s.describe(it))
		return s.move(it, to, want)
	case unreadable != nil:
		s.reportFile(to, it.ID, "resolved by hand", result.Spot{What: "it cannot be read: " + unreadable.Error()})
	case len(lacks) > 0:
		what := "it lacks " + strings.Join(lacks, ", ") + ": put it in, or git add " + s.fromRoot(to)
		s.reportFile(to, it.ID, "resolved by hand", result.Spot{What: what})
	default:
		s.reportFile(to, it.ID, "as you have resolved it")
		return s.move(it, to, src)
	}
	return nil
}

// mergeMarkers merges a file in which the user has resolved some of the markers: the remaining
// markers separate its versions.
func (s *settler) mergeMarkers(it *item, src []byte) ([]byte, error) {
	_, ours, theirs, _ := merge.Sides(src)
	if it.ID != checkpoint.IDIn(ours) || it.ID != checkpoint.IDIn(theirs) {
		return it.Merged.Bytes, nil
	}
	to := it.Merged.Path
	m, err := merge.Sets(merge.Set{to: it.Base.Bytes}, merge.Set{to: ours}, merge.Set{to: theirs}, s.text)
	if err != nil {
		return nil, err
	}
	it.Notes = nil
	for _, merged := range m.Items {
		it.Notes = append(it.Notes, merged.Notes...)
	}
	return m.Files[to], nil
}

// leave reports a file that was merged line by line with a conflict, which stays until the user
// resolves it.
func (s *settler) leave(it *item) error {
	then := "ckpt save"
	if s.merging {
		then = "ckpt resolve"
	}
	var spots []result.Spot
	for _, rel := range slices.Sorted(maps.Keys(it.disk)) {
		src := it.disk[rel]
		for _, m := range merge.Markers(src) {
			what := "both sides changed it: choose, then " + then
			spots = append(spots, result.Spot{Line: m.Line, Section: m.Section, What: what})
		}
		if len(spots) == 0 && len(it.disk) == 1 && merge.Readable(rel, src) == nil {
			s.reportFile(rel, it.ID, "as you have resolved it")
			return s.move(it, rel, src)
		}
	}
	if len(spots) == 0 {
		spots = []result.Spot{{What: "both sides changed it, and it cannot be read: fix it, then " + then}}
	}
	s.reportFile(it.Merged.Path, it.ID, "merged line by line", spots...)
	return nil
}

// move writes src to a path, or removes the file there if src is nil. It removes the other files of
// the item, and ends the conflict at each of its paths in the index. The learnings of an archived
// checkpoint are added to LEARNINGS.md.
func (s *settler) move(it *item, to string, src []byte) error {
	unmerged := s.index.Paths()
	for _, rel := range it.paths {
		_, here := it.disk[rel]
		_, taken := s.merged[rel]
		obsolete := here || unmerged[rel]
		if !obsolete || taken || rel == to {
			continue
		}
		if err := s.write(rel, nil); err != nil {
			return err
		}
	}
	if to == "" {
		return nil
	}
	if err := s.write(to, src); err != nil {
		return err
	}
	if it.ID == "" || src == nil || !checkpoint.InArchive(to) {
		return nil
	}
	c, err := checkpoint.Parse(to, src)
	if err != nil || len(c.Learnings()) == 0 {
		return nil
	}
	was, err := s.written(store.Learnings)
	if err != nil {
		return err
	}
	if now := learnings.Add(was, c.ID, c.Completed(), c.Learnings()); !bytes.Equal(now, was) {
		return s.write(store.Learnings, now)
	}
	return nil
}

// describe describes which versions the result of an item contains.
func (s *settler) describe(it *item) string {
	to := it.Merged.Path
	words := []string{describeSides(it.Item)}
	if it.Base.Path == "" && (it.Ours.Path == "" || it.Theirs.Path == "") {
		words[0] = "new on one side"
		if _, here := it.disk[to]; !here && len(it.disk) > 0 {
			words[0] += ": moved back to " + path.Dir(to) + "/, where that side has it"
		}
	}
	onBoth := it.Ours.Path != "" && it.Theirs.Path != ""
	bothArchived := checkpoint.InArchive(it.Ours.Path) && checkpoint.InArchive(it.Theirs.Path)
	if onBoth && checkpoint.InArchive(to) && !bothArchived {
		words = append(words, "it is archived")
	}
	for _, n := range it.Notes {
		switch {
		case n.Kind == merge.Kept:
			words[0] = n.Text
			if s.stale {
				words[0] = strings.Replace(n.Text, "ckpt delete "+it.ID, "ckpt migrate --to ref takes it over", 1)
			}
		case n.Kind != merge.Archived:
			words = append(words, n.Text)
		}
	}
	return strings.Join(words, "; ")
}

// describeSides counts what only one side added: "2 deltas of ours, 1 decision of theirs".
func describeSides(m merge.Item) string {
	var words []string
	for _, side := range []struct {
		of         string
		src, other []byte
	}{{" of ours", m.Ours.Bytes, m.Theirs.Bytes}, {" of theirs", m.Theirs.Bytes, m.Ours.Bytes}} {
		var added []string
		for _, kind := range []string{"delta", "decision", "learning"} {
			others := slices.Concat(recordsIn(m.Base.Bytes)[kind], recordsIn(side.other)[kind])
			isOld := func(record string) bool { return slices.Contains(others, record) }
			if n := len(slices.DeleteFunc(recordsIn(side.src)[kind], isOld)); n > 0 {
				added = append(added, text.Count(n, kind))
			}
		}
		if len(added) > 0 {
			words = append(words, strings.Join(added, " and ")+side.of)
		}
	}
	return cmp.Or(strings.Join(words, ", "), "merged by section")
}

// recordsIn returns, by kind, what a merge of a version must not lose: deltas and decisions
// of a checkpoint, or the learnings of LEARNINGS.md.
func recordsIn(src []byte) map[string][]string {
	records := map[string][]string{}
	if c, err := checkpoint.Parse("", src); err == nil {
		for _, d := range c.Deltas() {
			records["delta"] = append(records["delta"], d.Stamp+" "+d.Changed)
		}
		for _, d := range c.Decisions() {
			records["decision"] = append(records["decision"], d.What)
		}
		return records
	}
	for _, l := range learnings.Parse(src) {
		records["learning"] = append(records["learning"], l.Text)
	}
	return records
}

// missing names the deltas, decisions and learnings in want that src lacks.
func missing(src, want []byte) []string {
	have := recordsIn(src)
	lacks := map[string]bool{}
	for kind, records := range recordsIn(want) {
		for _, record := range records {
			if !slices.Contains(have[kind], record) {
				lacks["the "+kind+" "+text.FirstLine(record)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(lacks))
}
