package resume

import (
	"cmp"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fold"
)

// own adds the sections that only their writer knows: those of the file as they stand,
// then what deltas say that no other part tells, the newest delta first.
func (b *Brief) own(c *checkpoint.Checkpoint) {
	for s := range c.Stretches() {
		if !s.Known && !s.Mark && s.Delta == "" {
			b.append(Part{Name: ownPart, Title: distinct(s.Title), Tier: CanSummarise, Text: c.Doc.Text(s.Body)})
		}
	}
	for _, d := range slices.Backward(c.Deltas()) {
		title := "From the delta of " + cmp.Or(d.Stamp, "an unknown day")
		b.append(Part{Name: ownPart, Title: title, Tier: CanSummarise, Text: c.Doc.Text(d.Section.Body)})
		for _, part := range d.Parts {
			if told := checkpoint.OfProgress(part.Title) && fold.Spent(c, part); !told {
				b.append(Part{Name: ownPart, Title: distinct(part.Title), Tier: CanSummarise, Text: c.Doc.Text(part.Body)})
			}
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

// ownPart names, in JSON, the parts that the format does not know.
const ownPart = "own"
