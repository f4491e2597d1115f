package importing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// byStatus assigns text that states its status: numbered phases, checkboxes, entries
// marked as done or open. Open entries are moved out of Play-By-Play, finished ones out
// of Next Actions. If no heading or label names next actions, open entries become them.
func (f file) byStatus(all []chapter) {
	said := slices.DeleteFunc(openings(all), func(o opening) bool { return o.kind != checkpoint.Next || !f.hasText(all, o) })
	hasNext := len(said) > 0
	if slices.ContainsFunc(said, func(o opening) bool { return o.text < 0 }) {
		for i := range all { // a heading names them: labels elsewhere do not
			if all[i].kind == nowhere && i > 0 && !(i == 1 && all[i].Level == 1) {
				all[i].close(checkpoint.Next)
			}
		}
	}
	for i := range all {
		c := &all[i]
		if c.isOld(all) {
			continue
		}
		t, phase := f.tallyOf(c.Body), stage(c.Title)
		open := checkpoint.Next
		if hasNext {
			open = checkpoint.State
		}
		switch c.kind {
		case nowhere:
			switch {
			case t.boxes > 0 && t.boxes == t.finished:
				c.turn(checkpoint.PlayByPlay)
			case hasNext:
			case t.boxes > 0 && t.open > 0, t.entries == 0 && t.openRows > 0 && t.doneRows == 0:
				c.turn(checkpoint.Next)
			case t.open > 0 && t.open+t.finished+t.struck == t.entries:
				c.texts = f.sortEntries(c.texts, open)
			case t.finished+t.doneRows == 0 && (phase == checkpoint.Open || phase == checkpoint.Underway):
				c.turn(checkpoint.Next)
			}
		case checkpoint.PlayByPlay:
			switch {
			case t.openRows > 0:
				c.turn(checkpoint.State)
			case t.boxes > 0 && t.open > 0 && !hasNext:
				c.turn(checkpoint.Next)
			case t.open > 0 && t.boxes == 0:
				c.texts = f.sortEntries(c.texts, open)
			}
		case checkpoint.Next:
			switch {
			case t.doneRows > 0 && t.openRows == 0 && t.entries == 0, t.entries > 0 && t.entries == t.finished:
				c.turn(checkpoint.PlayByPlay)
			case t.doneRows > 0 && len(said) > 1:
				c.turn(checkpoint.State)
			}
		}
		if c.kind == checkpoint.Next && t.finished > 0 {
			c.texts = f.sortEntries(c.texts, checkpoint.Next)
		}
	}
}

// close undoes the labels of a chapter that open a section.
func (c *chapter) close(k checkpoint.Kind) {
	for i := range c.texts {
		if c.texts[i].name != "" && c.texts[i].kind == k {
			c.texts[i].kind = c.kind
		}
	}
}

// hasText reports whether there is text below an opening.
func (f file) hasText(all []chapter, o opening) bool {
	s := all[o.chapter].Section
	text := f.doc.Slice(span(s.Heading.End, s.Whole.End))
	if o.text >= 0 {
		text = f.doc.Slice(all[o.chapter].texts[o.text].span)
		if _, below, _ := strings.Cut(strings.TrimSpace(text), "\n"); all[o.chapter].texts[o.text].alone {
			text = below
		}
	}
	return !checkpoint.IsNone(markerBefore.ReplaceAllString(strings.TrimSpace(text), ""))
}

// turn assigns a chapter, without the parts that labels open, to another section.
func (c *chapter) turn(k checkpoint.Kind) {
	for i := range c.texts {
		if c.texts[i].kind == c.kind {
			c.texts[i].kind = k
		}
	}
	c.kind, c.opens = k, true
}

// sortEntries assigns the entries of lists by status: finished ones to Play-By-Play,
// others to open.
func (f file) sortEntries(texts []stretch, open checkpoint.Kind) []stretch {
	var sorted []stretch
	for _, t := range texts {
		if t.name != "" {
			sorted = append(sorted, t)
			continue
		}
		rest := t
		for _, item := range f.doc.Items(t.span) {
			kind := t.kind
			switch _, by := itemStatus(item.Text); by {
			case checkpoint.Finished:
				kind = checkpoint.PlayByPlay
			case checkpoint.Open, checkpoint.Underway:
				kind = open
			}
			if kind == rest.kind {
				continue
			}
			sorted = append(sorted, stretch{kind: rest.kind, span: span(rest.span.Start, item.Span.Start)})
			rest = stretch{kind: kind, span: span(item.Span.Start, rest.span.End)}
		}
		sorted = append(sorted, rest)
	}
	return sorted
}
