package doc

import (
	"bytes"
	"strings"

	"example.com/ckpt/internal/fault"
)

// On every line a parser does work for every quote and list that is open there. These limits keep
// that work in proportion to the size of the file.
const (
	maxQuotes = 500 // quote markers at the start of one line
	maxLists  = 100 // lists within lists
)

// checkDepth refuses a body with more nested containers than the limits allow.
func checkDepth(src []byte, start int) error {
	if !mayBeDeep(src[start:]) {
		return nil
	}
	var open, lists []int // open: the columns of the list markers above a line; lists: of those on the line
	for at := start; at < len(src); {
		end := lineEnd(src, at)
		line := src[at:end]
		var quotes int
		quotes, lists = markers(line, lists[:0])
		if quotes+len(lists) > 0 && !isRule(line) {
			for len(lists) > 0 && len(open) > 0 && open[len(open)-1] >= lists[0] {
				open = open[:len(open)-1]
			}
			open = append(open, lists...)
			if quotes > maxQuotes || len(open) > maxLists {
				number := 1 + bytes.Count(src[:at], []byte("\n"))
				return fault.New(fault.Invalid, "line %d: more than %d quotes or %d lists within each other", number,
					maxQuotes, maxLists)
			}
		}
		at = end
	}
	return nil
}

// mayBeDeep reports whether a line may have so many nested markers that the limits matter. Each
// nested container begins at least one column further right, with only other markers before it, so
// such a line begins with a long run of marker characters.
func mayBeDeep(body []byte) bool {
	for i := maxLists; i < len(body); i += maxLists { // a run of maxLists characters contains one of these offsets
		from, to := i, i
		for from > 0 && isMarker(body[from-1]) {
			from--
		}
		for to < len(body) && isMarker(body[to]) {
			to++
		}
		if to-from >= maxLists {
			return true
		}
	}
	return false
}

// isMarker reports whether c is part of a marker or of the space between two markers.
func isMarker(c byte) bool { return strings.IndexByte(" \t>-*+.)0123456789", c) >= 0 }

// markers counts the quote markers at the start of a line, and appends the columns of
// its list markers to lists.
func markers(line []byte, lists []int) (int, []int) {
	quotes := 0
	for i := 0; i < len(line); i++ {
		n := 0 // the number of digits
		for n < 9 && i+n < len(line) && '0' <= line[i+n] && line[i+n] <= '9' {
			n++
		}
		c := byte(0)
		if i+n < len(line) {
			c = line[i+n]
		}
		switch {
		case n == 0 && (c == ' ' || c == '\t'):
		case n == 0 && c == '>':
			quotes++
		case n == 0 && (c == '-' || c == '*' || c == '+') || n > 0 && (c == '.' || c == ')'):
			if i+n+1 < len(line) && !isBlank(line[i+n+1:i+n+2]) {
				return quotes, lists
			}
			lists = append(lists, i)
			i += n
		default:
			return quotes, lists
		}
	}
	return quotes, lists
}
