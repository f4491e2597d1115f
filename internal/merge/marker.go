package merge

import "strings"

// Marker is a place in a file at which a merge has left git's conflict markers.
type Marker struct {
	Section string // the heading above the marker, or "frontmatter"; may be empty
	Line    int    // from 1
}

// Markers returns the places of a file with conflict markers, in order. It does not parse
// the file, which need not be Markdown.
func Markers(src []byte) []Marker {
	var all []Marker
	section, n := "", 0
	for line := range strings.Lines(string(src)) {
		n++
		text := strings.TrimRight(line, "\r\n")
		isHeading := strings.HasPrefix(text, "#") && strings.HasPrefix(strings.TrimLeft(text, "#"), " ")
		switch {
		case isMarker(text, '<'):
			all = append(all, Marker{Section: section, Line: n})
		case text == "---" && n == 1:
			section = "frontmatter"
		case text == "---" && section == "frontmatter":
			section = ""
		case isHeading && section != "frontmatter":
			section = strings.Trim(text, "# ")
		}
	}
	return all
}

// Sides returns the three versions of a file with conflict markers. Lines outside of the markers
// are in all three. Inside, base has text only in git's conflict style diff3. Sides reports false if
// the file has no markers or they do not match.
func Sides(src []byte) (base, ours, theirs []byte, ok bool) {
	const outside, inOurs, inBase, inTheirs = 0, 1, 2, 3
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
			for _, side := range []int{inBase, inOurs, inTheirs} {
				out[side].WriteString(line)
			}
		default:
			out[at].WriteString(line)
		}
	}
	bytesOf := func(side int) []byte { return []byte(out[side].String()) }
	return bytesOf(inBase), bytesOf(inOurs), bytesOf(inTheirs), ok && at == outside
}

// markerSize is the minimal number of signs in one of git's markers.
const markerSize = 7

// isMarker reports whether a line is a conflict marker: at least markerSize signs, alone or before
// a label.
func isMarker(line string, sign byte) bool {
	rest := strings.TrimLeft(line, string(sign))
	return len(line)-len(rest) >= markerSize && (rest == "" || rest[0] == ' ')
}
