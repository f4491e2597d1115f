package index

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// Sync brings an INDEX.md in step with a folder of set and changes nothing
// else: it adds a row and a summary for each checkpoint that has neither, takes
// out those of checkpoints that are not in the folder (any more), and brings the
// dates of last change up to date. What people wrote stays byte for byte:
// descriptions, summaries, further columns, order, other text; a file that has
// only the table, or only the summaries, keeps to that. What names a file that
// cannot be read is left alone. An empty file becomes a new index.
//
// An index that is in step is given back as it is, and so is one that cannot be
// brought in step: [Check] says what is wrong with it.
func Sync(src []byte, set *checkpoint.Set, archived bool) []byte {
	return Follow(src, nil, set, archived)
}

// Follow is Sync for a change from one set to another. It also brings
// those descriptions and summaries up to date that say, word for word, what ckpt
// itself would have written for the set before.
func Follow(src []byte, before, after *checkpoint.Set, archived bool) []byte {
	out, _ := newSync(before, after, archived).run(src)
	return out
}

// Check says in which points an INDEX.md is out of step, in the order of its
// parts; nil where it is in step.
func Check(src []byte, set *checkpoint.Set, archived bool) []string {
	_, why := newSync(nil, set, archived).run(src)
	return why
}

// syncing is what an index is brought in step with.
type syncing struct {
	archived  bool
	set       *checkpoint.Set
	want      []listed          // the last changed first
	byID      map[string]listed // of want
	before    map[string]listed // those that have changed, as they were
	lost      map[string]bool   // ids that files of this folder have by name and cannot be read
	known     map[string]bool   // ids that may have a summary
	noRows    bool              // the file has summaries and no table
	noSummary bool              // the file has rows and no summaries
	listed    bool              // the file listed something
}

func newSync(before, after *checkpoint.Set, archived bool) *syncing {
	s := &syncing{archived: archived, set: after, want: listing(after, archived),
		byID: map[string]listed{}, before: map[string]listed{}, lost: map[string]bool{}, known: map[string]bool{}}
	for _, c := range after.All {
		s.known[c.ID] = true
	}
	for _, l := range s.want {
		s.byID[l.c.ID] = l
	}
	for _, b := range after.Broken {
		if checkpoint.InArchive(b.Path) == archived {
			s.lost[strings.TrimSuffix(b.Path[strings.LastIndexByte(b.Path, '/')+1:], ".md")] = true
		}
	}
	if before != nil {
		for _, l := range listing(before, archived) {
			if now, ok := s.byID[l.c.ID]; ok && now.c != l.c {
				s.before[l.c.ID] = l
			}
		}
	}
	return s
}

// steps are what is brought in step one after the other, each on the result of
// the one before it.
var steps = []func(*syncing, index) ([]doc.Edit, []string){
	(*syncing).addTable, (*syncing).rows, (*syncing).follow, (*syncing).dropEmptyText,
	(*syncing).dropSummaries, (*syncing).addSummaries, (*syncing).addEmptyText,
}

// run brings src in step and says what had to be done.
func (s *syncing) run(src []byte) (out []byte, why []string) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))) == 0 {
		return New(s.set, s.archived), []string{"is empty"}
	}
	start, ok := readIndex(src, s.known)
	if !ok {
		return src, []string{"is too large to be read"}
	}
	rows := slices.ContainsFunc(start.tables, func(t table) bool { return len(t.rows) > 0 })
	s.noRows = len(start.tables) == 0 && len(start.summaries) > 0
	s.noSummary = rows && len(start.summaries) == 0
	s.listed = rows || len(start.summaries) > 0
	end, why := s.apply(start)
	if len(why) == 0 {
		return src, nil
	}
	if again, _ := s.apply(end); !bytes.Equal(again.Bytes(), end.Bytes()) || !s.keepsRest(start, end) {
		return src, why
	}
	return end.Bytes(), why
}

func (s *syncing) apply(ix index) (end index, why []string) {
	for _, step := range steps {
		edits, said := step(s, ix)
		why = append(why, said...)
		if len(edits) == 0 {
			continue
		}
		next, ok := readIndex(ix.Splice(edits...), s.known)
		if !ok {
			return ix, why
		}
		next.LineBreak = ix.LineBreak // what is left may not tell it any more
		ix = next
	}
	return ix, why
}

// gone says whether an id is to be taken out.
func (s *syncing) gone(id string) bool {
	_, wanted := s.byID[id]
	return !wanted && !s.lost[id]
}

func (s *syncing) goneText(id string) string {
	return fmt.Sprintf("lists %s, which is not in %s", id, map[bool]string{false: "active/", true: "archive/"}[s.archived])
}

// keepsRest says whether all headings but those of checkpoints are still there.
func (s *syncing) keepsRest(before, after index) bool {
	rest := func(ix index) []string {
		var titles []string
		for _, section := range ix.Sections() {
			if !slices.ContainsFunc(ix.summaries, func(own summary) bool { return own.section.Whole.Contains(section.Heading) }) {
				titles = append(titles, section.Title)
			}
		}
		return titles
	}
	now := rest(after)
	for _, title := range rest(before) {
		i := slices.Index(now, title)
		if i < 0 {
			return false
		}
		now = now[i+1:]
	}
	return true
}

// follow brings the words that ckpt itself wrote up to date: those that it would
// have written for the set before, and the dash for what was not said yet.
func (s *syncing) follow(ix index) (edits []doc.Edit, why []string) {
	stale := func(text string, id string, say func(listed) string) (now string, ok bool) {
		l, wanted := s.byID[id]
		old, changed := s.before[id]
		if !wanted || text != nothing && (!changed || text != say(old)) {
			return "", false
		}
		now = say(l)
		return now, now != "" && now != text
	}
	for _, t := range ix.tables {
		for _, r := range t.rows {
			if t.description < 0 || t.description >= len(r.cells) {
				continue
			}
			cell := r.cells[t.description]
			if now, ok := stale(strings.ReplaceAll(ix.Slice(cell), `\|`, "|"), r.id, listed.description); ok {
				edits = append(edits, doc.ReplaceInline(cell, strings.ReplaceAll(now, "|", `\|`)))
				why = append(why, "describes "+r.id+" as it was")
			}
		}
	}
	for _, own := range ix.summaries {
		for _, line := range own.fields {
			m := fieldLine.FindStringSubmatchIndex(ix.Slice(line))
			name, value := ix.Slice(line)[m[2]:m[3]], doc.Span{Start: line.Start + m[4], End: line.Start + m[5]}
			if now, ok := stale(ix.Slice(value), own.id, func(l listed) string { return l.field(name) }); ok {
				edits = append(edits, doc.ReplaceInline(value, now))
				why = append(why, "tells the "+strings.ToLower(name)+" of "+own.id+" as it was")
			}
		}
	}
	return edits, why
}
