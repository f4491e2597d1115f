package merge

import (
	"strings"
)

// Conflict is a place of a file in which a merge has left git's markers.
type Conflict struct {
	Section string // the heading above it; "frontmatter", or "" before the first
	Line    int    // from 1
}

// Conflicts are the places of a file with markers, in order. Nobody can say more of a
// file with markers than this: it may be no Markdown.
func Conflicts(src []byte) []Conflict {
	var all []Conflict
	section, n := "", 0
	for line := range strings.Lines(string(src)) {
		n++
		text := strings.TrimRight(line, "\r\n")
		switch {
		case isMarker(text, '<'):
			all = append(all, Conflict{section, n})
		case text == "---" && n == 1:
			section = "frontmatter"
		case text == "---" && section == "frontmatter":
			section = ""
		case strings.HasPrefix(text, "#") && strings.HasPrefix(strings.TrimLeft(text, "#"), " ") && section != "frontmatter":
			section = strings.Trim(text, "# ")
		}
	}
	return all
}

// Sides are the two versions between which the markers of a file leave the choice, and
// what they have in common, with the text before where the markers tell it; what
// somebody has settled is the same in all. Ok is false where there are no markers, or
// where they do not fit together.
func Sides(src []byte) (base, ours, theirs []byte, ok bool) {
	var out [4]strings.Builder
	at := outside
	for line := range strings.Lines(string(src)) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case at == outside && isMarker(text, '<'):
			at, ok = inOurs, true
		case at == inOurs && isMarker(text, '|'):
			at = inBase
		case (at == inOurs || at == inBase) && isMarker(text, '='):
			at = inTheirs
		case at == inTheirs && isMarker(text, '>'):
			at = outside
		case at == outside:
			for _, side := range []part{inBase, inOurs, inTheirs} {
				out[side].WriteString(line)
			}
		default:
			out[at].WriteString(line)
		}
	}
	return []byte(out[inBase].String()), []byte(out[inOurs].String()), []byte(out[inTheirs].String()), ok && at == outside
}

// part is where in a conflict a line stands.
type part int

const (
	outside part = iota
	inOurs
	inBase
	inTheirs
)

// markerSize is how many signs git's markers have at least.
const markerSize = 7

// isMarker reports whether a line is a marker of conflicts: some signs, alone or before a
// label.
func isMarker(line string, sign byte) bool {
	rest := strings.TrimLeft(line, string(sign))
	return len(line)-len(rest) >= markerSize && (rest == "" || rest[0] == ' ')
}
