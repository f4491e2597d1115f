package index

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// addTable adds a table below the title where the file has none.
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

// rows brings the tables in step: the first takes the new rows.
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

// rowPlace is where a new row goes: above the first that changed no later.
func (s *syncing) rowPlace(t table, l listed) int {
	for _, r := range t.rows {
		if other, ok := s.byID[r.id]; ok && !other.changed.After(l.changed) {
			return r.span.Start
		}
	}
	return t.end
}

var anyDate = text.Regexp(`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}[0-9:.]*(?:Z|[+-]\d{2}:?\d{2})?)?`)

// date is the edit that brings a row's date up to date, and what stands there; ok
// is false where it is right.
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
	} else if was == "" && cell.Start < len(ix.Bytes()) && ix.Bytes()[cell.Start] == ' ' { // the white space of an empty cell
		cell, text = doc.Span{Start: cell.Start + 1, End: cell.Start + 1}, text+" "
	} else if was == "" {
		text = " " + text + " "
	}
	return doc.ReplaceInline(cell, text), was, true
}
