package search

import (
	"bytes"

	"example.com/ckpt/internal/checkpoint/doc"
)

// match is an occurrence of one of the terms.
type match struct {
	doc.Span
	term    int
	line    int // the line number, from 0
	start   int // the offset at which its line starts
	passage int // the offset at which its bullet, row or paragraph begins
	stretch int
}

// cursor moves through a file line by line.
type cursor struct {
	src        []byte
	start, end int // the offsets of the line, with its line break
	line       int
	passage    int
	blank      bool // the line before is blank
}

func newCursor(src []byte) *cursor {
	return &cursor{src: src, end: lineEnd(src, 0)}
}

// to moves forward to the line that contains an offset.
func (c *cursor) to(offset int) {
	for c.end <= offset && c.end < len(c.src) {
		c.blank = len(bytes.TrimSpace(c.src[c.start:c.end])) == 0
		c.start, c.end = c.end, lineEnd(c.src, c.end)
		c.line++
		if c.blank || begins(c.src[c.start:c.end]) {
			c.passage = c.start
		}
	}
}

// begins reports whether a line begins a bullet, a row, a heading or a code fence, and so does not
// continue the line above.
func begins(line []byte) bool {
	text := bytes.TrimLeft(line, " \t")
	if len(text) == 0 {
		return true
	}
	switch text[0] {
	case '#', '|', '-', '*', '+', '>', '`', '~', '\r', '\n':
		return true
	}
	digits := len(text) - len(bytes.TrimLeft(text, "0123456789"))
	return digits > 0 && digits < len(text) && (text[digits] == '.' || text[digits] == ')')
}

func lineEnd(src []byte, offset int) int {
	if i := bytes.IndexByte(src[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(src)
}

// lineBefore returns the start of the line that ends at offset.
func lineBefore(src []byte, offset int) int {
	return bytes.LastIndexByte(src[:max(0, offset-1)], '\n') + 1
}

// bare returns a line without its break.
func bare(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
