package learnings

import (
	"slices"

	"example.com/ckpt/internal/checkpoint/doc"
)

// Remove takes the learnings of a checkpoint out of LEARNINGS.md again: the
// bullets below an entry of that id that still say what was harvested. Kept are
// the bullets that stay there, since somebody has edited or added them. An entry
// below which nothing is left goes with its heading.
//
// What [Add] has just added is undone to the byte. A file that Add made
// is left with `# Learnings` and nothing else; a heading that had nothing below
// it before Add is lost; a bullet that was there before Add, word for
// word, goes as well.
func Remove(src []byte, id string, learnings []string) (out []byte, kept []string) {
	p, ok := open(src)
	if !ok {
		return src, nil
	}
	gone := sayings(learnings)
	var edits []doc.Edit
	for _, e := range p.parts() {
		if e.ID != id || !e.entry {
			continue
		}
		var spans []doc.Span
		for i, b := range e.Bullets {
			if slices.Contains(gone, b.Text) {
				spans = append(spans, e.items[i])
			} else {
				kept = append(kept, b.Text)
			}
		}
		switch {
		case len(spans) == 0:
		case p.onlyHolds(e.section, spans):
			edits = append(edits, p.removeEntry(e.section, spans))
		default:
			edits = append(edits, p.removeItems(spans)...)
		}
	}
	if len(edits) == 0 {
		return src, kept
	}
	return p.Splice(edits...), kept
}

// onlyHolds says whether nothing but spans, blank lines and rules stands below a
// heading.
func (p file) onlyHolds(s doc.Section, spans []doc.Span) bool {
	at := s.Heading.End
	for _, span := range spans {
		if !p.IsBlank(doc.Span{Start: at, End: span.Start}) {
			return false
		}
		at = span.End
	}
	return p.Content(doc.Span{Start: at, End: s.Whole.End}).Len() == 0 && !p.hasHeading(at, s.Whole.End)
}

func (p file) hasHeading(start, end int) bool {
	return slices.ContainsFunc(p.Sections(), func(s doc.Section) bool {
		return start <= s.Heading.Start && s.Heading.Start < end
	})
}

// removeEntry removes a heading and all that stands below it, with the blank line
// behind it, or before it where it is the last thing in the file.
func (p file) removeEntry(s doc.Section, spans []doc.Span) doc.Edit {
	cut := doc.Span{Start: s.Heading.Start, End: spans[len(spans)-1].End}
	if p.IsBlank(doc.Span{Start: cut.End, End: len(p.Bytes())}) {
		if line := p.EmptyLineBefore(cut.Start); line >= p.Front.Span.End {
			cut.Start = line
		}
		return doc.Replace(cut, "")
	}
	for p.IsBlankLine(cut.End) {
		cut.End = p.LineEnd(cut.End)
	}
	return doc.Replace(cut, "")
}

// removeItems removes bullets. One that stands alone between blank lines takes
// the one before it along.
func (p file) removeItems(spans []doc.Span) []doc.Edit {
	var edits []doc.Edit
	for i := 0; i < len(spans); i++ {
		cut := spans[i]
		for i+1 < len(spans) && spans[i+1].Start == cut.End {
			i++
			cut.End = spans[i].End
		}
		if line := p.EmptyLineBefore(cut.Start); p.IsBlankLine(cut.End) && (len(edits) == 0 || edits[len(edits)-1].Span.End <= line) {
			cut.Start = line
		}
		edits = append(edits, doc.Replace(cut, ""))
	}
	return edits
}
