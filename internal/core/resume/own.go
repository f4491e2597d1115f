package resume

import (
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
)

// own adds the sections that only their writer knows: those of the file as they stand,
// then those inside deltas, the newest delta first.
func (b *Brief) own(c *checkpoint.Checkpoint) {
	var ofDeltas [][]Part // by delta
	last := ""
	for s := range c.Stretches() {
		text := c.Doc.Text(s.Body)
		switch {
		case s.Known || s.Mark || text == "":
		case s.Delta == "":
			b.append(Part{Name: ownPart, Title: s.Title, Tier: CanSummarise, Text: text})
		case s.Title != s.Delta && !checkpoint.OfProgress(s.Title):
			if s.Delta != last {
				ofDeltas, last = append(ofDeltas, nil), s.Delta
			}
			n := len(ofDeltas) - 1
			ofDeltas[n] = append(ofDeltas[n], Part{Name: ownPart, Title: s.Title, Tier: CanSummarise, Text: text})
		}
	}
	for _, parts := range slices.Backward(ofDeltas) {
		for _, p := range parts {
			b.append(p)
		}
	}
}

// ownPart names, in JSON, the parts that the format does not know.
const ownPart = "own"
