package index

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Sync updates an INDEX.md from a folder of set and changes nothing else: it adds a row
// and a summary for each checkpoint that has neither, removes those of checkpoints that
// are not in the folder, and updates the dates of last change. Everything else stays
// byte for byte: descriptions, summaries, further columns, order, other text. A file
// with only the table, or only the summaries, does not get the other. Entries of files
// that cannot be read stay. An empty file becomes a new index.
//
// It returns a file unchanged if it is up to date or cannot be updated; [Check] returns what is
// wrong with it.
func Sync(src []byte, set *checkpoint.Set, archived bool) []byte {
	return Follow(src, nil, set, archived)
}

// Follow updates an INDEX.md as Sync does, after a change from one set to another. It also updates
// descriptions and summaries that ckpt wrote for the set before.
func Follow(src []byte, before, after *checkpoint.Set, archived bool) []byte {
	out, _ := newSync(before, after, archived).run(src)
	return out
}

// Check returns the points in which an INDEX.md is out of date, in the order of its
// parts.
func Check(src []byte, set *checkpoint.Set, archived bool) []string {
	_, why := newSync(nil, set, archived).run(src)
	return why
}

// syncing has the data for an update of an index.
type syncing struct {
	archived  bool
	set       *checkpoint.Set
	want      []listed          // the checkpoints to list, the last changed first
	byID      map[string]listed // the checkpoints in want, by id
	before    map[string]listed // the former states of changed checkpoints
	lost      map[string]bool   // the ids in the names of files of this folder that cannot be read
	known     map[string]bool   // ids that may have a summary
	noRows    bool              // the file has summaries and no table
	noSummary bool              // the file has rows and no summaries
	listed    bool              // the file listed checkpoints before
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

// steps are the parts of an update, each applied to the result of the one before it.
var steps = []func(*syncing, index) ([]doc.Edit, []string){
	(*syncing).addTable, (*syncing).rows, (*syncing).follow, (*syncing).dropEmptyText,
	(*syncing).dropSummaries, (*syncing).addSummaries, (*syncing).addEmptyText,
}

// run returns the updated file and what was out of date.
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
		next.LineBreak = ix.LineBreak // the result may have no line break to detect
		ix = next
	}
	return ix, why
}

// gone reports whether the entries of an id must be removed.
func (s *syncing) gone(id string) bool {
	_, wanted := s.byID[id]
	return !wanted && !s.lost[id]
}

func (s *syncing) goneText(id string) string {
	return fmt.Sprintf("lists %s, which is not in %s", id, map[bool]string{false: "active/", true: "archive/"}[s.archived])
}

// keepsRest reports whether the result still has all headings except those of checkpoints.
func (s *syncing) keepsRest(before, after index) bool {
	rest := func(ix index) []string {
		var titles []string
		for _, section := range ix.Sections() {
			if !slices.ContainsFunc(ix.summaries,
				func(own summary) bool { return own.section.Whole.Contains(section.Heading) }) {
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

// follow updates texts that ckpt wrote: those that it would have written for the set before, and
// the dash for a missing text.
func (s *syncing) follow(ix index) (edits []doc.Edit, why []string) {
	stale := func(text string, id string, say func(listed) string) (now string, ok bool) {
		l, wanted := s.byID[id]
		old, changed := s.before[id]
		ours := changed && text == say(old)
		if !wanted || text != nothing && !ours {
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

// addTable adds a table below the title if the file has none.
func (s *syncing) addTable(ix index) ([]doc.Edit, []string) {
	if len(ix.tables) > 0 || s.noRows || len(s.want) == 0 {
		return nil, nil
	}
	at := ix.ContentEnd(ix.Preamble())
	if sections := ix.Sections(); len(sections) > 0 && sections[0].Level == 1 {
		at = ix.ContentEnd(doc.Span{Start: sections[0].Heading.Start, End: sections[0].Body.End})
	}
	text := newTable(nil)
	if at > ix.Front.Span.End {
		text = "\n" + text
	}
	if !ix.IsBlankLine(at) {
		text += "\n"
	}
	return []doc.Edit{doc.Insert(at, text)}, []string{"has no table of checkpoints"}
}

// rows updates the rows of the tables. New rows are added to the first table.
func (s *syncing) rows(ix index) (edits []doc.Edit, why []string) {
	have := map[string]bool{}
	for _, t := range ix.tables {
		here := map[string]bool{}
		for _, r := range t.rows {
			l, wanted := s.byID[r.id]
			switch {
			case here[r.id] && !s.lost[r.id]:
				edits, why = append(edits, doc.Replace(r.span, "")), append(why, "lists "+r.id+" twice")
			case wanted:
				if e, was, ok := ix.date(t, r, l); ok {
					edits, why = append(edits, e), append(why, fmt.Sprintf("dates %s %q, and it changed on %s", r.id, was, l.date()))
				}
			case s.gone(r.id) && !checkpoint.IsNone(r.id):
				edits, why = append(edits, doc.Replace(r.span, "")), append(why, s.goneText(r.id))
			}
			here[r.id], have[r.id] = true, true
		}
	}
	if len(ix.tables) == 0 {
		return edits, why
	}
	first := ix.tables[0]
	for _, l := range s.want {
		if !have[l.c.ID] {
			edits, why = append(edits, doc.Insert(s.rowPlace(first, l), l.row(first))), append(why, "does not list "+l.c.ID)
		}
	}
	return edits, why
}

// rowPlace returns the offset for a new row: above the first row of a checkpoint that did not
// change later.
func (s *syncing) rowPlace(t table, l listed) int {
	for _, r := range t.rows {
		if other, ok := s.byID[r.id]; ok && !other.changed.After(l.changed) {
			return r.span.Start
		}
	}
	return t.end
}

var anyDate = text.Regexp(`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}[0-9:.]*(?:Z|[+-]\d{2}:?\d{2})?)?`)

// date returns the edit that updates the date of a row, and the old date. It reports
// false if the date is right.
func (ix index) date(t table, r row, l listed) (e doc.Edit, was string, ok bool) {
	if t.updated < 0 || t.updated >= len(r.cells) || l.date() == "" {
		return doc.Edit{}, "", false
	}
	cell := r.cells[t.updated]
	was = ix.Slice(cell)
	if strings.Contains(was, l.date()) {
		return doc.Edit{}, "", false
	}
	if at, _ := checkpoint.ParseTime(was); dayOf(at) == l.date() {
		return doc.Edit{}, "", false
	}
	text := l.date()
	if m := anyDate.FindStringIndex(was); m != nil {
		cell = doc.Span{Start: cell.Start + m[0], End: cell.Start + m[1]}
	} else if was == "" && cell.Start < len(ix.Bytes()) && ix.Bytes()[cell.Start] == ' ' {
		// an empty cell: replace its white space
		cell, text = doc.Span{Start: cell.Start + 1, End: cell.Start + 1}, text+" "
	} else if was == "" {
		text = " " + text + " "
	}
	return doc.ReplaceInline(cell, text), was, true
}

// dropEmptyText removes the line that there are no checkpoints.
func (s *syncing) dropEmptyText(ix index) (edits []doc.Edit, why []string) {
	if len(s.want) == 0 {
		return nil, nil
	}
	for _, span := range ix.empty {
		if line := ix.EmptyLineBefore(span.Start); ix.IsBlankLine(span.End) {
			span.Start = line
		}
		edits, why = append(edits, doc.Replace(span, "")), append(why, "says that there are no checkpoints")
	}
	return edits, why
}

// dropSummaries removes the sections of checkpoints that are gone, each with the rule after it, or
// at the end of the file with the rule before it.
func (s *syncing) dropSummaries(ix index) (edits []doc.Edit, why []string) {
	var kept []summary
	for _, own := range ix.summaries {
		if !s.gone(own.id) {
			kept = append(kept, own)
			continue
		}
		cut := own.section.Whole
		for _, other := range ix.summaries { // a section below it stays
			if !s.gone(other.id) && cut.Contains(other.section.Heading) {
				cut.End = min(cut.End, other.section.Heading.Start)
			}
		}
		why = append(why, strings.Replace(s.goneText(own.id), "lists", "tells of", 1))
		if n := len(edits); n > 0 && edits[n-1].Span.End >= cut.Start {
			edits[n-1].Span.End = max(edits[n-1].Span.End, cut.End)
			continue
		}
		edits = append(edits, doc.Replace(cut, ""))
	}
	if n := len(edits); n > 0 && ix.IsBlank(doc.Span{Start: edits[n-1].Span.End, End: len(ix.Bytes())}) {
		cut := &edits[n-1].Span
		begin := cut.Start
		cut.End = len(ix.Bytes())
		cut.Start = ix.TrimEnd(doc.Span{Start: ix.Front.Span.End, End: cut.Start})
		if i := slices.IndexFunc(kept, func(k summary) bool { return k.section.Whole.End == begin }); i >= 0 {
			cut.Start = ix.ContentEnd(doc.Span{Start: kept[i].section.Heading.Start, End: begin})
		}
	}
	return edits, why
}

// addSummaries adds the sections that are missing, in the order of the table.
func (s *syncing) addSummaries(ix index) (edits []doc.Edit, why []string) {
	if s.noSummary {
		return nil, nil
	}
	place := map[string]summary{}
	for _, own := range slices.Backward(ix.summaries) {
		place[own.id] = own
	}
	ruled := len(ix.summaries) == 0 || ix.ruled()
	ids := s.order(ix)
	next := make([]*summary, len(ids)) // by index of ids, the first existing section that comes after it
	for i := len(ids) - 2; i >= 0; i-- {
		next[i] = next[i+1]
		if place[ids[i+1]].id != "" {
			own := place[ids[i+1]]
			next[i] = &own
		}
	}
	for i, id := range ids {
		if place[id].id == "" {
			edits = append(edits, ix.summaryAt(next[i], s.byID[id], ruled, len(edits) == 0))
			why = append(why, "has no summary of "+id)
		}
	}
	return edits, why
}

// order returns the ids of want in the order of the tables, followed by the others, last changed
// first.
func (s *syncing) order(ix index) []string {
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if _, wanted := s.byID[id]; wanted && !seen[id] {
			ids, seen[id] = append(ids, id), true
		}
	}
	for _, t := range ix.tables {
		for _, r := range t.rows {
			add(r.id)
		}
	}
	for _, l := range s.want {
		add(l.c.ID)
	}
	return ids
}

// ruled reports whether there are rules between the summaries. For a single summary, it reports
// whether a rule precedes it.
func (ix index) ruled() bool {
	for _, own := range ix.summaries {
		blocks := ix.Blocks(doc.Span{Start: ix.Front.Span.End, End: own.section.Heading.Start})
		if n := len(blocks); n > 0 && blocks[n-1].Kind == doc.Rule &&
			ix.IsBlank(doc.Span{Start: blocks[n-1].Span.End, End: own.section.Heading.Start}) {
			return true
		}
	}
	return false
}

// summaryAt returns the edit that adds a section: before next, or after the last section, or
// below the table. First is true for the first section that is added there.
func (ix index) summaryAt(next *summary, l listed, ruled, first bool) doc.Edit {
	rule := ""
	if ruled {
		rule = "---\n\n"
	}
	if next != nil {
		return doc.Insert(next.section.Heading.Start, l.summary(next.section.Level)+"\n"+rule)
	}
	if n := len(ix.summaries); n > 0 {
		last := ix.summaries[n-1].section
		at := ix.ContentEnd(last.Whole)
		text := "\n" + rule + l.summary(last.Level)
		if !ix.IsBlankLine(at) {
			text += "\n"
		}
		return doc.Insert(at, text)
	}
	at := ix.ContentEnd(ix.Body())
	if len(ix.tables) > 0 {
		at = ix.tables[0].end
	}
	if rules := ix.rulesBehind(at); rules > at {
		at = rules
		if first {
			rule = ""
		}
	}
	text := "\n" + rule + l.summary(ix.levelAt(at))
	if !ix.IsBlankLine(at) {
		text += "\n"
	}
	return doc.Insert(at, text)
}

// levelAt returns a level for a new heading at an offset such that no existing heading becomes a
// part of its section.
func (ix index) levelAt(at int) int {
	for _, s := range ix.Sections() {
		if s.Heading.Start >= at {
			return max(2, s.Level)
		}
	}
	return 2
}

// rulesBehind returns the end of the rules that follow at, or at if there are none.
func (ix index) rulesBehind(at int) int {
	blocks := ix.Blocks(doc.Span{Start: at, End: len(ix.Bytes())})
	if len(blocks) > 0 && blocks[0].Kind == doc.Rule && ix.IsBlank(doc.Span{Start: at, End: blocks[0].Span.Start}) {
		return blocks[0].Span.End
	}
	return at
}

// addEmptyText adds the line that there are no checkpoints, after the last one was removed.
func (s *syncing) addEmptyText(ix index) ([]doc.Edit, []string) {
	left := len(ix.empty) > 0 || len(ix.summaries) > 0 ||
		slices.ContainsFunc(ix.tables, func(t table) bool { return len(t.rows) > 0 })
	if len(s.want) > 0 || !s.listed || left {
		return nil, nil
	}
	at := ix.ContentEnd(ix.Body())
	text := "\n" + emptyText(s.archived)
	if len(ix.tables) > 0 {
		at = ix.tables[0].end
		if rules := ix.rulesBehind(at); rules > at {
			at = rules
		} else {
			text = "\n---\n" + text
		}
	}
	if !ix.IsBlankLine(at) {
		text += "\n"
	}
	return []doc.Edit{doc.Insert(at, text)}, nil
}
