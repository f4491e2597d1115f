package checkpoint

import (
	"iter"

	"example.com/ckpt/internal/checkpoint/doc"
)

// Stretch is a heading with the lines down to the next one: the smallest part of a
// file that has a name.
type Stretch struct {
	Span  doc.Span // from its heading on
	Body  doc.Span // below it
	Title string   // of the heading, as written
	Level int
	Kind  Kind // of the section itself or of the one around it; only set if Known
	Known bool
	Delta string // the title of the delta that it opens or stands in, "" for none
	Mark  bool   // it opens a mark, or stands in one
}

// Stretches cut the file at its headings, in order. What stands before the first
// one is in none.
func (c *Checkpoint) Stretches() iter.Seq[Stretch] {
	return func(yield func(Stretch) bool) {
		places := c.Places()
		place, deltaEnd, delta, markEnd := -1, 0, "", 0
		for _, s := range c.Doc.Sections() {
			at := s.Heading.Start
			next := Stretch{Span: doc.Span{Start: at, End: s.Body.End}, Body: s.Body, Title: s.Title, Level: s.Level}
			for place+1 < len(places) && places[place+1].Section.Heading.Start <= at {
				place++
			}
			if _, ok := deltaTime(s); ok && at >= deltaEnd {
				delta, deltaEnd = s.Title, s.Whole.End
			}
			if IsMark(s) {
				markEnd = s.Whole.End
			}
			switch {
			case at < markEnd:
				next.Mark = true
			case at < deltaEnd:
				next.Delta = delta
			case place >= 0 && (places[place].Section.Heading.Start == at || at < places[place].Extent.End):
				next.Kind, next.Known = places[place].Kind, true
			}
			if !yield(next) {
				return
			}
		}
	}
}
