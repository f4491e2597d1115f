// Package phrase is what sentences are put together from.
package phrase

import (
	"strconv"
	"strings"
)

// Count is a number of things in words: "1 delta", "3 deltas". Of a thing "of"
// another the first is the one that is counted: "2 lines of prose".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	thing, of, found := strings.Cut(what, " of ")
	if found {
		of = " of " + of
	}
	return strconv.Itoa(n) + " " + thing + "s" + of
}

// FirstLine is the first line of a text that is not blank, without the space around it.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
