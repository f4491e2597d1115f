package index

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// dropEmptyText takes out the line that says that there are no checkpoints.
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

// dropSummaries takes out the sections of checkpoints that are gone, each with
// the rule behind it; at the end of the file, with the rule before it.
func (s *syncing) dropSummaries(ix index) (edits []doc.Edit, why []string) {
	var kept []summary
	for _, own := range ix.summaries {
		if !s.gone(own.id) {
			kept = append(kept, own)
			continue
		}
		cut := own.section.Whole
		for _, other := range ix.summaries { // one below it that stays
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
	next := make([]*summary, len(ids)) // the first behind each that has its place
	for i := len(ids) - 2; i >= 0; i-- {
		if next[i] = next[i+1]; place[ids[i+1]].id != "" {
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

// order is the ids of want in the order of the tables, then the last changed
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

// ruled says whether rules stand between the summaries, or before the only one.
func (ix index) ruled() bool {
	for _, own := range ix.summaries {
		blocks := ix.Blocks(doc.Span{Start: ix.Front.Span.End, End: own.section.Heading.Start})
		if n := len(blocks); n > 0 && blocks[n-1].Kind == doc.Rule && ix.IsBlank(doc.Span{Start: blocks[n-1].Span.End, End: own.section.Heading.Start}) {
			return true
		}
	}
	return false
}

// summaryAt puts a section before next, else behind the last one, else below the
// table. First says that no section was put there before it.
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
		if at = rules; first {
			rule = ""
		}
	}
	text := "\n" + rule + l.summary(ix.levelAt(at))
	if !ix.IsBlankLine(at) {
		text += "\n"
	}
	return doc.Insert(at, text)
}

// levelAt is the level of a heading at an offset that takes no other below it.
func (ix index) levelAt(at int) int {
	for _, s := range ix.Sections() {
		if s.Heading.Start >= at {
			return max(2, s.Level)
		}
	}
	return 2
}

// rulesBehind is the end of the rule that follows at, else at.
func (ix index) rulesBehind(at int) int {
	blocks := ix.Blocks(doc.Span{Start: at, End: len(ix.Bytes())})
	if len(blocks) > 0 && blocks[0].Kind == doc.Rule && ix.IsBlank(doc.Span{Start: at, End: blocks[0].Span.Start}) {
		return blocks[0].Span.End
	}
	return at
}

// addEmptyText says that there are no checkpoints, where the last has just gone.
func (s *syncing) addEmptyText(ix index) ([]doc.Edit, []string) {
	left := len(ix.empty) > 0 || len(ix.summaries) > 0 || slices.ContainsFunc(ix.tables, func(t table) bool { return len(t.rows) > 0 })
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
