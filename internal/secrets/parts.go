package secrets

import (
	"iter"
	"strings"
)

const (
	partSize = 16 << 10 // the approximate size of a part
	overlap  = 8 << 10  // how many bytes adjacent parts share, so that a large key is in one part
	nearby   = 1 << 10  // how many bytes before and after a match near returns of a long line
)

// parts returns the offsets at which the parts of a text begin and end. The offsets are at line ends if these are near.
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

// near returns the line of a match, or the part near the match if the line is very long.
func near(text string, start, stop int, line string) string {
	if len(line) <= stop-start+2*nearby {
		return line
	}
	return text[max(0, start-nearby):min(len(text), stop+nearby)]
}
