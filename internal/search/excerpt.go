package search

import (
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
)

// A line of more than longest bytes is cut to that length, with lead bytes before the first mark.
const (
	longest = 400
	lead    = 80
)

const cutOff = "…"

// cut sets the text of each hit: the line, or the part around its first mark. Lines of usual length
// are substrings of one string.
func cut(src []byte, hits []Hit, on []doc.Span) {
	line := func(i int) []byte { return bare(src[on[i].Start:on[i].End]) }
	size := 0
	for i := range hits {
		size += min(len(line(i)), longest)
	}
	var usual strings.Builder
	usual.Grow(size)
	for i := range hits {
		if text := line(i); len(text) <= longest && utf8.Valid(text) {
			from := usual.Len()
			usual.Write(text)
			hits[i].Text = usual.String()[from:]
		} else {
			hits[i].cut(text)
		}
	}
}

// cut sets the text of a line that is long, or not valid UTF-8.
func (h *Hit) cut(line []byte) {
	start := max(0, h.Marks[0].Start-lead)
	if len(line) <= longest {
		start = 0
	}
	start = runeStart(line, start)
	end := runeStart(line, min(len(line), start+longest))
	var text strings.Builder
	if start > 0 {
		text.WriteString(cutOff)
	}
	var marks []doc.Span
	at := start
	for _, m := range h.Marks {
		if m.Start >= end {
			break
		}
		m.End = min(m.End, end)
		text.WriteString(strings.ToValidUTF8(string(line[at:m.Start]), "\uFFFD"))
		from := text.Len()
		text.WriteString(strings.ToValidUTF8(string(line[m.Start:m.End]), "\uFFFD"))
		marks = append(marks, doc.Span{Start: from, End: text.Len()})
		at = m.End
	}
	text.WriteString(strings.ToValidUTF8(string(line[at:end]), "\uFFFD"))
	if end < len(line) {
		text.WriteString(cutOff)
	}
	h.Text, h.Marks = text.String(), marks
}

// clip returns a line of context, cut if it is long.
func clip(line []byte) string {
	if len(line) <= longest {
		return strings.ToValidUTF8(string(line), "\uFFFD")
	}
	return strings.ToValidUTF8(string(line[:runeStart(line, longest)]), "\uFFFD") + cutOff
}

// runeStart returns the offset at which the rune that contains a byte begins.
func runeStart(line []byte, at int) int {
	for back := range utf8.UTFMax {
		if at-back >= 0 && (at-back == len(line) || utf8.RuneStart(line[at-back])) {
			return at - back
		}
	}
	return at // the byte is not part of a valid rune
}
