package ledger

import (
	"strings"

	"example.com/ckpt/internal/core/doc"
)

// follow brings the words that ckpt itself wrote up to date: those that it would
// have written for the set before, and the dash for what was not said yet.
func (s *syncing) follow(ix index) (edits []edit, why []string) {
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
			if now, ok := stale(strings.ReplaceAll(ix.text(cell), `\|`, "|"), r.id, listed.description); ok {
				edits = append(edits, edit{span: cell, text: strings.ReplaceAll(now, "|", `\|`), raw: true})
				why = append(why, "describes "+r.id+" as it was")
			}
		}
	}
	for _, own := range ix.summaries {
		for _, line := range own.fields {
			m := fieldLine.FindStringSubmatchIndex(ix.text(line))
			name, value := ix.text(line)[m[2]:m[3]], doc.Span{Start: line.Start + m[4], End: line.Start + m[5]}
			if now, ok := stale(ix.text(value), own.id, func(l listed) string { return l.field(name) }); ok {
				edits = append(edits, edit{span: value, text: now, raw: true})
				why = append(why, "tells the "+strings.ToLower(name)+" of "+own.id+" as it was")
			}
		}
	}
	return edits, why
}
