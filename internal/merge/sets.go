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

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/text"
)

// Set maps slash paths relative to the checkpoints folder to the contents of files.
type Set map[string][]byte

// TextMerge merges two versions of a text line by line. It reports a conflict if both sides changed
// the same lines; merged is then still a text that can be written.
type TextMerge func(base, ours, theirs []byte) (merged []byte, conflict bool, err error)

// Result is a merged folder.
type Result struct {
	Files Set // every file of the result that is in at least one of the three sets
	Items []Item
}

// Item is one checkpoint, even if its versions have different paths, or one other file.
type Item struct {
	ID                         string // empty for a file that is not a checkpoint
	Base, Ours, Theirs, Merged File
	Conflict                   bool // the text merge found a conflict
	Notes                      []Note
}

// File is a file of one version. Its path is empty if the version does not have it.
type File struct {
	Path  string
	Bytes []byte
}

func (f File) exists() bool { return f.Path != "" }

func (f File) equals(g File) bool { return f.Path == g.Path && bytes.Equal(f.Bytes, g.Bytes) }

func (r Result) has(at string) bool {
	_, ok := r.Files[at]
	return ok
}

// NoteKind names what happened in a merge.
type NoteKind string

// The kinds of notes.
const (
	Replaced   NoteKind = "replaced"   // both sides changed a text; one of the two was chosen
	Kept       NoteKind = "kept"       // deleted on one side and changed on the other
	Archived   NoteKind = "archived"   // archived on one side and changed on the other
	Twice      NoteKind = "twice"      // two checkpoints have the same id
	Superseded NoteKind = "superseded" // both sides superseded the same decision
	Outcomes   NoteKind = "outcomes"   // both sides wrote a Completion
	Unreadable NoteKind = "unreadable" // a file that cannot be parsed was merged line by line
)

// Note tells about something in a merge that a person may want to check.
type Note struct {
	Kind NoteKind
	Text string // a sentence without a final period
}

func (it *Item) note(kind NoteKind, format string, args ...any) {
	it.Notes = append(it.Notes, Note{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// Sets merges two versions of a checkpoints folder with the common ancestor base. The merge driver,
// resolve and sync, among others, call it with their three versions and write the result.
//
// The sets need to contain only the files that differ between the versions, with every
// path of a checkpoint that moved, the files that [Unnumbered] gives the path of another one in the sets, and
// LEARNINGS.md if it exists: Sets treats a file that is in none of them as unchanged.
//
// Checkpoints are paired by id, at whatever path they are. A checkpoint that one side deleted stays if the other side
// changed or moved it. A checkpoint archived in base stays so unless a side reopened it; any other is archived if a
// side archived it. Two checkpoints of one version, with one id and different `created`, both stay. Every other file
// is paired by path.
//
// [Markdown] merges readable Markdown; text merges every other file. Which checkpoint is current is up to the caller.
func Sets(base, ours, theirs Set, text TextMerge) (Result, error) {
	items := pair(base, ours, theirs)
	var archived []*checkpoint.Checkpoint
	for _, it := range items {
		c, err := it.merge(text)
		if err != nil {
			return Result{}, err
		}
		if c != nil {
			archived = append(archived, c)
		}
	}
	r := Result{Files: Set{}}
	r.place(items, ours, theirs)
	if r.has(learningsFile) {
		for _, c := range archived {
			r.Files[learningsFile] = learnings.Add(r.Files[learningsFile], c.ID, c.Completed(), c.Learnings())
		}
	}
	for _, it := range items {
		it.Merged.Bytes = r.Files[it.Merged.Path]
		r.Items = append(r.Items, *it)
	}
	return r, nil
}

// pair groups the files of the three versions into items: checkpoints by id, other files by path.
func pair(versions ...Set) []*Item {
	type candidate struct {
		File
		version     int
		id, created string // empty unless the file is a readable checkpoint
	}
	var all []candidate
	idAt := map[string]string{} // by path, the id of the checkpoint at that path
	twice := map[string]bool{}  // ids that several checkpoints of one version have
	items := map[string]*Item{}
	for i, set := range versions {
		created := map[string]string{} // the created times by id
		for _, p := range slices.Sorted(maps.Keys(set)) {
			f := candidate{File: File{Path: p, Bytes: set[p]}, version: i}
			if c := parse(p, f.Bytes); c != nil {
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
		if items[key] == nil {
			items[key] = &Item{ID: id}
		}
		return items[key].add(f.version, f.File)
	}
	for _, f := range all {
		byPath, id := "file "+f.Path, cmp.Or(f.id, idAt[f.Path])
		key := "id " + id
		switch {
		case id == "":
			key = byPath
		case f.id != "" && twice[id]:
			key += "\n" + f.created
		}
		if !add(key, id, f) {
			add(byPath, id, f)
		}
	}
	var sorted []*Item
	for _, key := range slices.Sorted(maps.Keys(items)) {
		it := items[key]
		if twice[it.ID] {
			it.note(Twice, "two checkpoints have the id %s: both stay (give one another id: ckpt edit)", it.ID)
			twice[it.ID] = false
		}
		sorted = append(sorted, it)
	}
	return sorted
}

// add adds a file of one version. A merge by path can leave two files of one checkpoint in one version; add merges
// them, and reports false if it cannot. If the checkpoint was archived in base, one of the two is older than base, so
// what it lacks was not removed.
func (it *Item) add(version int, f File) bool {
	to := []*File{&it.Base, &it.Ours, &it.Theirs}[version]
	if !to.exists() {
		*to = f
		return true
	}
	var base []byte
	if version > 0 && !checkpoint.InArchive(it.Base.Path) {
		base = it.Base.Bytes
	}
	m, err := Markdown(base, to.Bytes, f.Bytes)
	if err != nil {
		return false
	}
	one := File{Path: place("", to.Path, f.Path), Bytes: m.Bytes}
	if Readable(one.Path, one.Bytes) != nil {
		return false
	}
	*to = one
	return true
}

// place returns the path of a checkpoint in the result: the path to which one side moved it. Of two such paths
// it returns the one in archive/, or the one in active/ if the checkpoint was archived in base.
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

// merge merges the versions of an item. It returns the checkpoint if the merge archives it.
func (it *Item) merge(text TextMerge) (archived *checkpoint.Checkpoint, err error) {
	if !it.Ours.exists() || !it.Theirs.exists() {
		it.mergeDeleted()
		return nil, nil
	}
	it.Merged.Path = place(it.Base.Path, it.Ours.Path, it.Theirs.Path)
	if err := it.mergeContents(text); err != nil {
		return nil, err
	}
	if it.ID == "" || !checkpoint.InArchive(it.Merged.Path) {
		return nil, nil
	}
	return it.archive(), nil
}

// reopened returns the contents of a side. If the other side reopened the checkpoint and this side
// changed its Completion, that gets another title: an active checkpoint has no Completion. Paths do
// not show what was reopened: git calls a merge driver with one path for all versions.
func (it *Item) reopened(side, other File) []byte {
	was, now := completionOf(it.Base), completionOf(side)
	switch {
	case was == "", now == "", now == was, completionOf(other) != "":
		return side.Bytes
	}
	open, err := revise.SetAsideCompletion(parse(side.Path, side.Bytes))
	if err != nil {
		return side.Bytes
	}
	it.note(Kept, "reopened on one side, with another Completion on the other: that is now %q", revise.FormerCompletion)
	return open.Doc.Bytes()
}

func completionOf(f File) string {
	if c := parse(f.Path, f.Bytes); c != nil {
		return c.Text(checkpoint.Completion)
	}
	return ""
}

// mergeDeleted keeps a file that one side deleted if the other side changed or moved it.
func (it *Item) mergeDeleted() {
	left := it.Ours
	if !left.exists() {
		left = it.Theirs
	}
	if !left.exists() || left.equals(it.Base) {
		return
	}
	if it.Base.exists() {
		text := "deleted on one side and changed on the other: it stays"
		if it.ID != "" {
			text += " (ckpt delete " + it.ID + ")"
		}
		it.note(Kept, "%s", text)
	}
	it.Merged = left
}

// mergeContents merges the contents of a file that both sides have.
func (it *Item) mergeContents(text TextMerge) error {
	base, ours, theirs := it.Base.Bytes, it.Ours.Bytes, it.Theirs.Bytes
	m, err := it.markdown()
	if err == nil {
		it.Merged.Bytes = m.Bytes
		it.Notes = append(it.Notes, m.Notes...)
		return nil
	}
	switch {
	case bytes.Equal(ours, theirs), it.Base.exists() && bytes.Equal(theirs, base):
		it.Merged.Bytes = ours
		return nil
	case it.Base.exists() && bytes.Equal(ours, base):
		it.Merged.Bytes = theirs
		return nil
	}
	if !errors.Is(err, errNotMarkdown) {
		it.note(Unreadable, "merged line by line, as git does: %v", err)
	}
	it.Merged.Bytes, it.Conflict, err = text(base, ours, theirs)
	return err
}

var errNotMarkdown = errors.New("not Markdown")

// markdown merges two versions of a readable Markdown file. If the merge panics, it returns an
// error, and the file is merged line by line.
func (it *Item) markdown() (m Merged, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fault.New(fault.Failed, "%v", r)
		}
	}()
	at := it.Merged.Path
	if !strings.HasSuffix(at, ".md") {
		return Merged{}, errNotMarkdown
	}
	for _, side := range []File{it.Ours, it.Theirs} {
		if err := Readable(at, side.Bytes); err != nil {
			return Merged{}, err
		}
	}
	base := it.Base.Bytes
	if Readable(at, base) != nil {
		base = nil
	}
	ours, theirs := it.Ours.Bytes, it.Theirs.Bytes
	if !checkpoint.InArchive(at) {
		ours, theirs = it.reopened(it.Ours, it.Theirs), it.reopened(it.Theirs, it.Ours)
	}
	m, err = Markdown(base, ours, theirs)
	if err != nil {
		return Merged{}, err
	}
	return m, Readable(at, m.Bytes)
}

// Readable returns the error of a file that should be a checkpoint and cannot be read, or nil.
func Readable(at string, src []byte) error {
	if !checkpoint.IsFile(at) || src == nil {
		return nil
	}
	_, err := checkpoint.Parse(at, src)
	if errors.Is(err, checkpoint.ErrOther) {
		return nil
	}
	return err
}

// archive drops the status of a checkpoint in archive/, unless the result is the file of the side that archived it.
// If the merge archives the checkpoint, archive returns it: its learnings have to be added to LEARNINGS.md.
func (it *Item) archive() *checkpoint.Checkpoint {
	active, archived := it.Ours, it.Theirs
	if checkpoint.InArchive(active.Path) {
		active, archived = archived, active
	}
	moved := !checkpoint.InArchive(active.Path)
	oneSide := bytes.Equal(it.Merged.Bytes, it.Ours.Bytes) || bytes.Equal(it.Merged.Bytes, it.Theirs.Bytes)
	if !moved && oneSide {
		return nil
	}
	if moved && !bytes.Equal(active.Bytes, it.Base.Bytes) {
		it.note(Archived, "archived on one side and changed on the other: it is archived")
	}
	c, err := checkpoint.Parse(it.Merged.Path, it.Merged.Bytes)
	if err != nil {
		return nil
	}
	if c.Field("status") != "" && !bytes.Equal(it.Merged.Bytes, archived.Bytes) {
		if dropped, err := revise.Begin(c).Drop("status").Apply(); err == nil {
			c = dropped
		}
	}
	it.Merged.Bytes = c.Doc.Bytes()
	if !moved {
		return nil
	}
	return c
}

// place sets the paths of the merged files. If two checkpoints have the same path, the one whose id
// is the file's name gets it. The other one gets a numbered path that neither side has.
func (r *Result) place(items []*Item, ours, theirs Set) {
	taken := func(at string) bool { return r.has(at) || ours[at] != nil || theirs[at] != nil }
	for _, namesakes := range []bool{true, false} {
		for _, it := range items {
			at := it.Merged.Path
			isNamesake := it.ID == "" || path.Base(at) == it.ID+".md"
			if !it.Merged.exists() || isNamesake != namesakes {
				continue
			}
			stem := strings.TrimSuffix(at, ".md")
			for i := 2; r.has(at) || i > 2 && taken(at); i++ {
				at = fmt.Sprintf("%s-%d.md", stem, i)
			}
			r.Files[at], it.Merged.Path = it.Merged.Bytes, at
		}
	}
}

var numbered = text.Regexp(`-\d+\.md$`)

// Unnumbered returns the path from which [Sets] may have made rel because two checkpoints had that path:
// active/chk-a.md for active/chk-a-2.md. It returns every other path unchanged.
func Unnumbered(rel string) string { return numbered.Get().ReplaceAllString(rel, ".md") }

// parse returns the checkpoint in a file, or nil if the file is not a readable checkpoint.
func parse(p string, src []byte) *checkpoint.Checkpoint {
	if !checkpoint.IsFile(p) {
		return nil
	}
	c, _ := checkpoint.Parse(p, src)
	return c
}

const learningsFile = "LEARNINGS.md"
