package checkpoint

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// thenSuffix is the suffix in the title of a replaced text.
const thenSuffix = " then"

// ReplacedTitle returns the title for the former text of a section: "Current State
// then".
func ReplacedTitle(section string) string {
	if strings.HasSuffix(section, thenSuffix) {
		return section
	}
	return section + thenSuffix
}

// ReplacedText reports whether a section has a text that a merge replaced, and returns the title of the section
// that the text was in. If two branches changed Current State, the earlier text goes below the newest delta of
// its branch, or into a section of its own if that branch added no delta.
func ReplacedText(s doc.Section) (of string, ok bool) {
	of, ok = strings.CutSuffix(s.Title, thenSuffix)
	return of, ok && s.Level <= 3
}

// Replaced returns the titles of the sections that recently lost a text in a merge. A former text is recent if it is
// below one of the two newest deltas, or if the file has fewer than two. Texts of folded deltas do not count.
func (c *Checkpoint) Replaced() []string {
	var titles []string
	for _, s := range c.Doc.Sections() {
		of, ok := ReplacedText(s)
		if !ok {
			continue
		}
		kind, known := KindNamed(of)
		if known && c.isRecent(s) && !slices.Contains(titles, kind.String()) {
			titles = append(titles, kind.String())
		}
	}
	return titles
}

// isRecent reports whether the former text in a section is recent in the sense of Replaced.
func (c *Checkpoint) isRecent(s doc.Section) bool {
	deltas := c.Deltas()
	folded := s.Level > 2 && (len(deltas) == 0 || s.Heading.Start < deltas[0].Section.Heading.Start)
	recent := len(deltas) < 2 || s.Heading.Start > deltas[len(deltas)-2].Section.Heading.Start
	return recent && !folded
}
