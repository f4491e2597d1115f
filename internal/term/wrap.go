package term

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Hang marks a column in a line. If [Wrap] breaks the line, the lines below begin at that column. Text of a file
// cannot contain Hang, because [Plain] removes it.
const Hang = "\v"

// Narrowest is the minimum number of columns for a text that is wrapped or shortened beside another text.
const Narrowest = 20

// Columns returns how many columns a text takes. Colours in it take none.
func Columns(text string) int { return displaywidth.Options{ControlSequences: true}.String(text) }

// Wrap breaks a line, which may have colours, at spaces to fit it into width columns. The lines below begin at the
// column of [Hang] or, without Hang, at the indentation of the line. If the line is not indented either, or a word
// would not fit, they begin at the fifth column. Wrap does not break words, but it breaks a path that is too wide
// after a slash.
func Wrap(line string, width int) string {
	head, rest, marked := strings.Cut(line, Hang)
	line = head + rest
	if Columns(line) <= width {
		return line
	}
	below := len(line) - len(strings.TrimLeft(line, " "))
	if marked {
		below = Columns(head)
	}
	words := strings.Split(line, " ")
	fits := width-below >= max(Narrowest, longest(words, width-4))
	if below == 0 && !marked || !fits {
		below = min(4, width/4)
	}
	var out strings.Builder
	at, gap, begun := 0, "", false
	put := func(part string) {
		n := Columns(part)
		if begun && at+len(gap)+n > width {
			out.WriteString("\n" + strings.Repeat(" ", below))
			at, gap = below, ""
		}
		out.WriteString(gap + part)
		at += len(gap) + n
		begun = begun || n > 0
	}
	for i, word := range words {
		if i > 0 {
			gap += " "
		}
		switch {
		case word == "":
			continue
		case Columns(word) > width-below:
			for part := range strings.SplitAfterSeq(word, "/") {
				put(part)
				gap = ""
			}
		default:
			put(word)
		}
		gap = ""
	}
	return out.String()
}

// longest returns the width of the widest word that has at most the given number of columns. Words that have more are
// split at their slashes first.
func longest(words []string, most int) int {
	n := 0
	for _, word := range words {
		parts := []string{word}
		if Columns(word) > most {
			parts = strings.SplitAfter(word, "/")
		}
		for _, part := range parts {
			if columns := Columns(part); columns <= most {
				n = max(n, columns)
			}
		}
	}
	return n
}
