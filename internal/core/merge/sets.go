package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/learnings"
)

// Set maps slash paths relative to the checkpoints folder to the contents of files.
type Set map[string][]byte

// Options selects how [Sets] merges what it does not merge section by section.
type Options struct {
	Pick Pick      // which of two texts is kept in its section
	Text TextMerge // merges files that are not Markdown or that cannot be read
}

// TextMerge merges two versions of a text line by line. It reports a conflict where both
// sides changed the same lines; merged is then what to write nevertheless.
type TextMerge func(base, ours, theirs []byte) (merged []byte, conflict bool, err error)

// Result is a merged folder.
type Result struct {
	Files     Set      // every file of the result that is in one of the three sets
	Conflicts []string // paths of files in which the text merge found a conflict
	Notes     []Note
	Choices   []Choice
}

// NoteKind names what happened in a merge.
type NoteKind string

// The kinds of notes.
const (
	Replaced   NoteKind = "replaced"   // both sides changed a text; one of the two was chosen
	Kept       NoteKind = "kept"       // deleted on one side and changed on the other
	Archived   NoteKind = "archived"   // archived on one side and changed on the other
	Twice      NoteKind = "twice"      // two checkpoints share an id
	Superseded NoteKind = "superseded" // both sides superseded the same decision
	Outcomes   NoteKind = "outcomes"   // both sides wrote a Completion
	Unreadable NoteKind = "unreadable" // a file was merged line by line
)

// Note tells about something in a merge that a person may want to check.
type Note struct {
	Kind NoteKind
	ID   string // of the checkpoint; empty for another file
	Path string // in the result
	Text string // a sentence without a final period
}

// Sets merges two versions of a checkpoints folder that both began as base. The merge
// driver, resolve, sync and the landing of pending changes call it with their three
// versions and write the result.
//
// The sets need to contain only the files that differ between the versions, with every
// path of a checkpoint that moved, and LEARNINGS.md if it exists: Sets treats a file that
// is in none of them as unchanged.
//
// Checkpoints are paired by id, at whatever path they are. A checkpoint that one side
// deleted stays if the other side changed or moved it. It is archived if either side
// archived it, and active if either side reopened one that was archived in base. Two
// checkpoints with one id and different `created` both stay. Every other file is paired by
// path.
//
// [File] merges Markdown; Options.Text merges every other file. INDEX.md depends on the
// whole folder, which Sets does not know, so the caller has to update it. Which checkpoint
// is current is up to the caller, too.
func Sets(base, ours, theirs Set, o Options) (Result, error) {
	s := &setMerge{Options: o, Result: Result{Files: Set{}}}
	for _, g := range s.pair(base, ours, theirs) {
		if err := s.merge(g); err != nil {
			return Result{}, err
		}
	}
	s.placeFiles()
	s.harvest()
	return s.Result, nil
}

type setMerge struct {
	Options
	Result
	merged   []merged
	archived []*checkpoint.Checkpoint // that this merge archived
}

// merged is a merged file, before it has its final path.
type merged struct {
	id string
	file
}

// file is a file of one version. Its path is empty if the version does not have it.
type file struct {
	path string
	src  []byte
}

func (f file) exists() bool { return f.path != "" }

func (f file) equals(g file) bool { return f.path == g.path && bytes.Equal(f.src, g.src) }

// group is one checkpoint, or one other file, in the three versions.
type group struct {
	id                 string // empty for another file
	base, ours, theirs file
}

// pair groups the files of the three versions.
func (s *setMerge) pair(versions ...Set) []*group {
	type candidate struct {
		file
		version     int
		id, created string // empty unless it is a readable checkpoint
	}
	var all []candidate
	idAt := map[string]string{} // by path: the id of the checkpoint that a version has there
	twice := map[string]bool{}  // ids that one version gives to several checkpoints
	groups := map[string]*group{}
	for i, set := range versions {
		created := map[string]string{} // by id
		for _, p := range slices.Sorted(maps.Keys(set)) {
			f := candidate{file: file{path: p, src: set[p]}, version: i}
			if c := parse(p, f.src); c != nil {
				f.id, f.created = c.ID, c.Field("created")
				idAt[p] = cmp.Or(idAt[p], f.id)
				other, found := created[f.id]
				twice[f.id] = twice[f.id] || found && other != f.created
				created[f.id] = f.created
			}
			all = append(all, f)
		}
	}
	add := func(key, id string, f candidate) bool {
		if groups[key] == nil {
			groups[key] = &group{id: id}
		}
		return groups[key].add(f.version, f.file)
	}
	for _, f := range all {
		byPath, key, id := "file "+f.path, "", cmp.Or(f.id, idAt[f.path])
		switch {
		case id == "":
			key = byPath
		case f.id != "" && twice[id]:
			key = "id " + id + "\n" + f.created
		default:
			key = "id " + id
		}
		if !add(key, id, f) {
			add(byPath, id, f)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(twice)) {
		if twice[id] {
			s.note(Twice, id, "", "two checkpoints have the id %s: both stay (give one another id: ckpt edit)", id)
		}
	}
	var ordered []*group
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		ordered = append(ordered, groups[key])
	}
	return ordered
}

// add puts a file into the group. A merge by path can leave two files of one checkpoint in
// one version; add merges them, and reports false if it cannot.
func (g *group) add(version int, f file) bool {
	to := []*file{&g.base, &g.ours, &g.theirs}[version]
	if !to.exists() {
		*to = f
		return true
	}
	var base []byte
	if version > 0 {
		base = g.base.src
	}
	m, err := File(base, to.src, f.src, Later)
	if err != nil {
		return false
	}
	one := file{path: place("", to.path, f.path), src: m.Bytes}
	if Readable(one.path, one.src) != nil {
		return false
	}
	*to = one
	return true
}

// place returns the path of a checkpoint in the result: the one to which a side moved it.
// Of two such paths it is that in archive/, unless the checkpoint was archived in base.
func place(base, ours, theirs string) string {
	switch {
	case ours == theirs, theirs == base:
		return ours
	case ours == base:
		return theirs
	case checkpoint.InArchive(ours) == checkpoint.InArchive(theirs):
		return min(ours, theirs)
	case checkpoint.InArchive(ours) == checkpoint.InArchive(base):
		return theirs
	}
	return ours
}

// merge merges one group.
func (s *setMerge) merge(g *group) error {
	if !g.ours.exists() || !g.theirs.exists() {
		s.mergeDeleted(g)
		return nil
	}
	at := place(g.base.path, g.ours.path, g.theirs.path)
	src, err := s.contents(g, at)
	if err != nil {
		return err
	}
	if g.id != "" && checkpoint.InArchive(at) {
		src = s.archive(g, at, src)
	}
	s.merged = append(s.merged, merged{id: g.id, file: file{path: at, src: src}})
	return nil
}

// mergeDeleted keeps a file that one side deleted if the other side changed or moved it.
func (s *setMerge) mergeDeleted(g *group) {
	left := g.ours
	if !left.exists() {
		left = g.theirs
	}
	if !left.exists() || left.equals(g.base) {
		return
	}
	if g.base.exists() {
		text := "deleted on one side and changed on the other: it stays"
		if g.id != "" {
			text += " (ckpt delete " + g.id + ")"
		}
		s.note(Kept, g.id, left.path, "%s", text)
	}
	s.merged = append(s.merged, merged{id: g.id, file: left})
}

// contents merges the contents of a file that both sides have.
func (s *setMerge) contents(g *group, at string) ([]byte, error) {
	base, ours, theirs := g.base.src, g.ours.src, g.theirs.src
	m, err := s.markdown(g, at)
	if err == nil {
		if path.Base(at) == indexName {
			return m.Bytes, nil // which is derived from the checkpoints
		}
		for _, n := range m.Notes {
			s.note(n.Kind, g.id, at, "%s", n.Text)
		}
		for _, c := range m.Choices {
			c.ID, c.Path = g.id, at
			s.Choices = append(s.Choices, c)
		}
		return m.Bytes, nil
	}
	switch {
	case bytes.Equal(ours, theirs), g.base.exists() && bytes.Equal(theirs, base):
		return ours, nil
	case g.base.exists() && bytes.Equal(ours, base):
		return theirs, nil
	}
	if !errors.Is(err, errNotMarkdown) {
		s.note(Unreadable, g.id, at, "merged line by line, as git does: %v", err)
	}
	merged, conflict, err := s.Text(base, ours, theirs)
	if conflict {
		s.Conflicts = append(s.Conflicts, at)
	}
	return merged, err
}

var errNotMarkdown = errors.New("not Markdown")

// markdown merges two versions of a Markdown file that can be read. Should the merge panic,
// that is one more reason to merge line by line.
func (s *setMerge) markdown(g *group, at string) (m Merged, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fault.New(fault.Failed, "%v", r)
		}
	}()
	if !strings.HasSuffix(at, ".md") {
		return Merged{}, errNotMarkdown
	}
	for _, src := range [][]byte{g.ours.src, g.theirs.src} {
		if err := Readable(at, src); err != nil {
			return Merged{}, err
		}
	}
	base := g.base.src
	if Readable(at, base) != nil {
		base = nil
	}
	if m, err = File(base, g.ours.src, g.theirs.src, s.Pick); err != nil {
		return Merged{}, err
	}
	return m, Readable(at, m.Bytes)
}

// Readable returns the error of a file that ought to be a checkpoint and cannot be read.
func Readable(at string, src []byte) error {
	if !isCheckpoint(at) || src == nil {
		return nil
	}
	_, err := checkpoint.Parse(at, src)
	if errors.Is(err, checkpoint.ErrOther) {
		return nil
	}
	return err
}

// archive drops the status of a checkpoint that the merge archives or changes in archive/.
// It notes a checkpoint that the merge archives, whose learnings go to LEARNINGS.md.
func (s *setMerge) archive(g *group, at string, src []byte) []byte {
	active := g.ours
	if checkpoint.InArchive(active.path) {
		active = g.theirs
	}
	moved := !checkpoint.InArchive(active.path)
	if !moved && (bytes.Equal(src, g.ours.src) || bytes.Equal(src, g.theirs.src)) {
		return src
	}
	if moved && !bytes.Equal(active.src, g.base.src) {
		s.note(Archived, g.id, at, "archived on one side and changed on the other: it is archived")
	}
	c, err := checkpoint.Parse(at, src)
	if err != nil {
		return src
	}
	if c.Field("status") != "" {
		if dropped, err := c.Revise().Drop("status").Apply(); err == nil {
			c = dropped
		}
	}
	if moved {
		s.archived = append(s.archived, c)
	}
	return c.Doc.Bytes()
}

// placeFiles gives the merged files their paths. Of two checkpoints with one path, the one
// that the file is named after gets it.
func (s *setMerge) placeFiles() {
	namesake := func(f merged) bool { return f.id == "" || path.Base(f.path) == f.id+".md" }
	for _, first := range []bool{true, false} {
		for _, f := range s.merged {
			if namesake(f) != first {
				continue
			}
			at := f.path
			for i := 2; s.has(at); i++ {
				at = fmt.Sprintf("%s-%d.md", strings.TrimSuffix(f.path, ".md"), i)
			}
			s.Files[at] = f.src
		}
	}
}

func (s *setMerge) has(at string) bool {
	_, ok := s.Files[at]
	return ok
}

// harvest adds the learnings of the checkpoints that the merge archived to LEARNINGS.md,
// if that exists, under the days of their Completions.
func (s *setMerge) harvest() {
	if !s.has(learningsFile) {
		return
	}
	for _, c := range s.archived {
		s.Files[learningsFile] = learnings.Add(s.Files[learningsFile], c.ID, c.Completed(), c.Learnings())
	}
}

func (s *setMerge) note(kind NoteKind, id, at, format string, args ...any) {
	n := Note{Kind: kind, ID: id, Path: at, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(s.Notes, n) {
		s.Notes = append(s.Notes, n)
	}
}

// parse returns the checkpoint in a file, or nil if the file is not a readable checkpoint.
func parse(p string, src []byte) *checkpoint.Checkpoint {
	if !isCheckpoint(p) {
		return nil
	}
	c, err := checkpoint.Parse(p, src)
	if err != nil {
		return nil
	}
	return c
}

// isCheckpoint reports whether a file of the folder is to be read as a checkpoint.
func isCheckpoint(p string) bool {
	dir, _, _ := strings.Cut(p, "/")
	return (dir == "active" || dir == "archive") && strings.HasSuffix(p, ".md") && path.Base(p) != indexName
}

const (
	indexName   = "INDEX.md"
	learningsFile = "LEARNINGS.md"
)
