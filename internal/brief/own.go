package brief

import (
	"cmp"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/edit/fold"
)

// own adds the sections that only their writer knows: those of the file as they stand,
// then what deltas say that no other part tells, the newest delta first.
func (b *Brief) own(c *checkpoint.Checkpoint) {
	b.append(Part{Name: OwnPart, Title: "Before the first heading", Tier: CanSummarise, Text: c.Doc.Text(c.Doc.Preamble())})
	newest := 0 // where the newest import is kept
	for _, s := range c.Doc.Sections() {
		if s.Title == checkpoint.FurtherFields {
			newest = s.Heading.Start
		}
	}
	said := func(s doc.Section) bool { // by a later import, or by the sections
		return s.Title == checkpoint.FurtherFields && (s.Heading.Start < newest || c.Doc.Text(s.Body) == "")
	}
	for _, s := range ownSections(c) {
		if said(doc.Section{Title: s.Title, Heading: s.Span(), Body: s.Body}) {
			continue
		}
		title, heading := s.Title, true
		if s.remnant {
			title, heading = distinct(title), s.Level > 2 && !checkpoint.OfProgress(title)
		}
		b.append(Part{Name: OwnPart, Title: title, Tier: CanSummarise, Text: c.Doc.Text(s.Body), heading: heading})
	}
	for _, d := range slices.Backward(c.Deltas()) {
		title := "From the delta of " + cmp.Or(d.Stamp, "an unknown day")
		b.append(Part{Name: OwnPart, Title: title, Tier: CanSummarise, Text: c.Doc.Text(d.Section.Body)})
		for _, part := range d.Parts {
			known := checkpoint.OfProgress(part.Title)
			if !said(part) && (!known || !fold.Spent(c, part)) {
				b.append(Part{Name: OwnPart, Title: distinct(part.Title), Tier: CanSummarise, Text: c.Doc.Text(part.Body), heading: !known})
			}
		}
	}
}

// ownSection is a heading that the format does not know.
type ownSection struct {
	checkpoint.Section
	remnant bool // part of what a fold left of a delta
}

// ownSections returns the headings of the file that the format does not know, each
// with the deeper ones below it. The title of the file stands alone, and so does each
// heading that a fold left of a delta, as it did in the delta.
func ownSections(c *checkpoint.Checkpoint) []ownSection {
	var all []ownSection
	open, remnant := false, false // the next stretch may belong to the last one; is of a remnant
	for s := range c.Headings() {
		if s.Level <= 2 {
			remnant = checkpoint.IsRemnant(doc.Section{Level: s.Level, Title: s.Title})
		}
		switch last := len(all) - 1; {
		case s.Known() || s.Mark || s.Delta != "":
			open = false
		case open && s.Level > all[last].Level:
			all[last].Body.End = s.Body.End
		default:
			all = append(all, ownSection{s, remnant})
			open = s.Level > 1 && !remnant
		}
	}
	return all
}

// asides adds the parts below subheadings that contradict their section, each part
// below a heading of its own.
func (b *Brief) asides(c *checkpoint.Checkpoint) {
	for _, k := range []checkpoint.Kind{checkpoint.Next, checkpoint.PlayByPlay, checkpoint.Decisions} {
		for _, a := range c.Asides(k) {
			b.append(Part{Name: OwnPart, Title: k.String() + ": " + a.Title, Tier: ShouldKeep, Text: c.Doc.Text(a.Extent), heading: true})
		}
	}
}

// distinct is a title that is not mistaken for that of the file's own section: a
// delta may have a Next Actions, too.
func distinct(title string) string {
	if _, known := checkpoint.KindNamed(title); known || checkpoint.OfProgress(title) {
		return title + ", in a delta"
	}
	return title
}

// OwnPart names, in JSON, the parts that the format does not know.
const OwnPart = "own"
