package output

import (
	"strings"
	"unicode/utf8"
)

// narrowest is the least room for a text to be broken in; with less it runs on.
const narrowest = 20

// hang breaks a text that begins at a column between words, where a terminal ends; what
// follows begins at the column below. In a pipe nothing is broken.
func (p Text) hang(text string, from, below int) string {
	return broken(text, 0, p.breaks(text, from, below), below)
}

// broken is a part of a text, which begins there at offset, with a new line for each
// space that breaks names.
func broken(part string, offset int, breaks []int, below int) string {
	if len(breaks) == 0 {
		return part
	}
	var out strings.Builder
	done := 0
	for _, at := range breaks {
		if at -= offset; at >= done && at < len(part) {
			out.WriteString(part[done:at] + "\n" + strings.Repeat(" ", below))
			done = at + 1
		}
	}
	return out.String() + part[done:]
}

// breaks are the offsets of the spaces at which a text is broken: see [Text.hang]. One
// that begins with a space may be broken before its first word.
func (p Text) breaks(text string, from, below int) []int {
	if !p.Streams.OutIsTerminal() || !p.room(below) {
		return nil
	}
	var all []int
	width, at, start := p.Streams.Width(), from, 0
	for word := range strings.SplitSeq(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case start == 0:
		case at+1+n > width:
			all = append(all, start-1)
			at = below
		default:
			at++
		}
		at += n
		start += len(word) + 1
	}
	return all
}

// room says whether a text that begins at a column can be read in what is right of it; in
// a pipe it always can.
func (p Text) room(column int) bool {
	return !p.Streams.OutIsTerminal() || p.Streams.Width()-column >= narrowest
}
