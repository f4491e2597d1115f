package secrets

import (
	"iter"
	"strings"
)

const (
	partSize = 16 << 10 // the approximate size of a part
	overlap  = 8 << 10  // how much of a part the next one repeats, so that a large key is in one part
	nearby   = 1 << 10  // how many bytes of a long line count as near a match
)

// parts returns the offsets at which the parts of a text begin and end. These are line ends, if there
// are any nearby.
func parts(text string) iter.Seq2[int, int] {
	return func(yield func(start, stop int) bool) {
		start := 0
		for len(text)-start > partSize+overlap {
			stop := start + partSize
			stop += strings.IndexByte(text[stop:stop+overlap], '\n') + 1
			if !yield(start, stop) {
				return
			}
			start = stop - overlap
			start += strings.IndexByte(text[start:stop], '\n') + 1
			if start == stop { // the overlap is inside one line
				start = stop - overlap
			}
		}
		yield(start, len(text))
	}
}

// near returns a line, or the part of a very long one near the match.
func near(text string, start, stop int, line string) string {
	if len(line) <= stop-start+2*nearby {
		return line
	}
	return text[max(0, start-nearby):min(len(text), stop+nearby)]
}
