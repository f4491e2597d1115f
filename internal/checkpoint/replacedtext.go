package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// thenSuffix ends the title of a section that keeps a text which a merge replaced.
const thenSuffix = " then"

// ReplacedTitle is the title of the section that keeps the former text of a section:
// "Current State then".
func ReplacedTitle(section string) string {
	if strings.HasSuffix(section, thenSuffix) {
		return section
	}
	return section + thenSuffix
}

// ReplacedText reports whether a section keeps a text that a merge replaced, and of which
// section: two branches had changed Current State, and that of the earlier one went below
// its delta, or, in a file without deltas, behind the sections.
func ReplacedText(s doc.Section) (of string, ok bool) {
	of, ok = strings.CutSuffix(s.Title, thenSuffix)
	return of, ok && s.Level <= 3
}
