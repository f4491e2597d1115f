package doc

import (
	"bytes"
	"strings"
)

// nameSections sets the titles of sections. All titles share one string, and so one allocation.
func nameSections(src []byte, sections []Section) {
	var all strings.Builder
	all.Grow(16 * len(sections))
	for i := range sections {
		from := all.Len()
		writeTitle(&all, src[sections[i].Heading.Start:sections[i].Heading.End])
		sections[i].Body = Span{from, all.Len()}
	}
	for i := range sections {
		sections[i].Title = all.String()[sections[i].Body.Start:sections[i].Body.End]
	}
}

// writeTitle writes the text of a heading: of one with a hash, or of the lines above an underline.
func writeTitle(to *strings.Builder, heading []byte) {
	if isATX(heading) {
		to.Write(atxTitle(heading))
		return
	}
	between := ""
	for at := 0; ; {
		end := lineEnd(heading, at)
		if end == len(heading) {
			return
		}
		to.WriteString(between)
		to.Write(bytes.TrimSpace(heading[at:end]))
		at, between = end, " "
	}
}

// isWord reports whether a line that begins with c is always ordinary text.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80 || c == '|'
}

// markerWidth returns the length of the list marker at the start of text, or 0.
func markerWidth(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	signs := ".)"
	if n == 0 {
		signs = "-*+"
	}
	if n == len(text) || n > 9 || strings.IndexByte(signs, text[n]) < 0 {
		return 0
	}
	if n+1 < len(text) && !isBlank(text[n+1:n+2]) {
		return 0
	}
	return n + 1
}

// atxLevel returns the level of the heading in text, or 0 if it is not a heading.
func atxLevel(text []byte) int {
	level := 0
	for level < len(text) && text[level] == '#' {
		level++
	}
	if level > 6 || level < len(text) && !isBlank(text[level:level+1]) {
		return 0
	}
	return level
}

// isUnderline reports whether text would turn the paragraph above it into a heading.
func isUnderline(text []byte) bool {
	return (text[0] == '=' || text[0] == '-') && isBlank(text[run(text, text[0]):])
}

// isRule reports whether a line is a thematic break.
func isRule(line []byte) bool {
	mark, n := byte(0), 0
	for _, c := range line {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case n == 0 && (c == '-' || c == '*' || c == '_'), n > 0 && c == mark:
			mark = c
			n++
		default:
			return false
		}
	}
	return n >= 3
}

// fenceOf returns the characters that open a fence at the start of text, or nil.
func fenceOf(text []byte) []byte {
	n := run(text, text[0])
	if n < 3 || text[0] == '`' && bytes.IndexByte(text[n:], '`') >= 0 {
		return nil
	}
	return text[:n]
}

// closesFence reports whether text closes a fence that was opened by the given characters.
func closesFence(text, fence []byte) bool {
	n := run(text, fence[0])
	return n >= len(fence) && isBlank(text[n:])
}

// run returns the number of times that c is repeated at the start of text.
func run(text []byte, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}
