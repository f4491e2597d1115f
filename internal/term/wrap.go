package term

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Hang marks in a line the column at which its further lines begin. No text of a file has it, since
// [Plain] removes it.
const Hang = "\v"

// Narrowest is the number of columns below which a text is not wrapped or shortened beside another one.
const Narrowest = 20

// Columns returns how many columns a text takes, which may have colours.
func Columns(text string) int {
	return displaywidth.Options{ControlSequences: true}.String(text)
}

// Wrap breaks a line, which may have colours, at spaces, so that it fits into width columns. Further
// lines begin at the column of [Hang]; without it, below the first word of an indented line. Otherwise,
// and where a word would not fit behind that column, they begin at the fifth one. A word stays whole;
// only a path that is wider than the screen is broken behind a slash.
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

// longest returns the width of the widest word that is not wider than most, or of the widest part of a path
// that is.
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
