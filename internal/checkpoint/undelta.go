package checkpoint

import (
	"bytes"
	"cmp"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// remnant begins the heading of what is left of a delta.
const remnant = "From the delta of"

// IsRemnant says whether a section is what a fold left of a delta: what stands below
// its heading is the delta's, whatever it is called.
func IsRemnant(s doc.Section) bool { return s.Level == 2 && strings.HasPrefix(s.Title, remnant) }

// DropDeltas takes the deltas out of the file. Of each what is spent goes:
// its heading and the subsections that spent says have been told elsewhere. What a
// delta says besides stays where it is, byte for byte, below a heading that names
// the delta and is none.
func (r *Revision) DropDeltas(spent func(part doc.Section) bool) *Revision {
	var cuts []doc.Span
	for _, d := range r.c.Deltas() {
		s := d.Section
		end := r.c.deltaEnd(s)
		if !r.c.ownWords(d, spent) {
			cuts = append(cuts, doc.Span{Start: r.c.separator(s.Heading.Start), End: end})
			continue
		}
		title := "## " + remnant + " " + cmp.Or(d.Stamp, "an unknown day")
		r.edits = append(r.edits, doc.ReplaceSections(s.Heading, title+"\n"))
		for _, part := range d.Parts {
			if spent(part) {
				cuts = append(cuts, doc.Span{Start: part.Heading.Start, End: min(part.Body.End, end)})
			}
		}
	}
	return r.cutAll(cuts)
}

// cutAll takes whole lines out, where each of the cuts is.
func (r *Revision) cutAll(cuts []doc.Span) *Revision {
	for i, cut := range cuts {
		if i+1 < len(cuts) && cuts[i+1].Start <= cut.End { // one hole
			cuts[i+1].Start = cut.Start
			continue
		}
		r.edits = append(r.edits, r.c.cut(cut))
	}
	return r
}

// ownWords says whether a delta says anything that is not spent.
func (c *Checkpoint) ownWords(d Delta, spent func(doc.Section) bool) bool {
	for _, part := range d.Parts {
		if !spent(part) {
			return true
		}
	}
	return c.Doc.Content(d.Section.Body).Len() > 0
}

// deltaEnd is where a delta ends: before the rule that separates the next section.
func (c *Checkpoint) deltaEnd(s doc.Section) int {
	if s.Whole.End == len(c.Doc.Bytes()) {
		return s.Whole.End
	}
	return max(c.separator(s.Whole.End), s.Heading.End)
}

// cut takes whole lines out. At the end of the file the blank line before them goes
// too, and a file that had no last line break still has none.
func (c *Checkpoint) cut(s doc.Span) doc.Edit {
	src := c.Doc.Bytes()
	if s.End < len(src) {
		if next := src[s.End]; next != '\n' && next != '\r' {
			return doc.Replace(s, c.gapBefore(s.Start))
		}
		return doc.Replace(s, "")
	}
	s.Start = blankBefore(src, s.Start, c.Doc.EOL())
	if s.Len() > 0 && src[s.End-1] != '\n' {
		open := bytes.TrimRight(src[:s.Start], "\r\n")
		s.Start = max(len(open), c.Doc.Front.Span.End)
	}
	return doc.Replace(s, "")
}
