package doc

import (
	"bytes"
	"slices"
)

// outline finds the headings of a body as parseBody does, and nothing else: it looks
// at how each line begins. Only a fence or a comment that begins in the first column
// can hold a line that looks like a heading and is none; what a list or a quote holds
// is indented or ends there. Where a line could mean more (an indented fence or
// heading, an underline below text, HTML), ok is false: see FuzzOutline. The slice is
// used up to its capacity.
func outline(src []byte, start int, sections []Section) (_ []Section, ok bool) {
	sections = slices.Grow(sections[:0], 16)
	text := false // the line before may be a paragraph's
	for at := start; at < len(src); {
		end := lineEnd(src, at)
		switch meaning(src[at:end], text) {
		case unsure:
			return nil, false
		case plainLine:
			text = true
		case headingLine:
			sections = append(sections, Section{Level: atxLevel(src[at:end]), Heading: Span{at, end}})
			text = false
		case fenceLine:
			end, text = fenceEnd(src, at, end), false
		case commentLine:
			end, text = commentEnd(src, at), false
		case blankLine:
			text = false
		}
		at = end
	}
	nameSections(src, sections)
	closeSections(sections, len(src))
	return sections, true
}

// lineKind is what a line of an outline is.
type lineKind int

const (
	plainLine lineKind = iota // text, a list, a quote, a rule
	blankLine
	headingLine
	fenceLine   // opens a fence
	commentLine // opens a comment
	unsure
)

// meaning tells what a line is that stands in no fence and no comment. Below text a
// line of dashes makes a heading of it.
func meaning(line []byte, belowText bool) lineKind {
	if isWord(line[0]) {
		return plainLine
	}
	text := line
	for len(text) > 0 && text[0] == ' ' {
		text = text[1:]
	}
	indent := len(line) - len(text)
	switch {
	case isBlank(text):
		return blankLine
	case indent > 3 || text[0] == '\t':
		return plainLine // code, or something within a list
	}
	kind := opens(text, belowText)
	if indent > 0 && kind != plainLine {
		return unsure // a list may hold it
	}
	return kind
}

// opens tells what a line is by the characters with which its text begins.
func opens(text []byte, belowText bool) lineKind {
	switch c := text[0]; {
	case c < ' ':
		return unsure
	case c == '#' && atxLevel(text) > 0:
		return headingLine
	case c == '<' && bytes.HasPrefix(text, []byte("<!--")):
		return commentLine
	case c == '<':
		return unsure
	case (c == '`' || c == '~') && len(fenceOf(text)) > 0:
		if info := bytes.TrimLeft(text, "`"); c == '`' && bytes.IndexByte(info, '`') >= 0 {
			return unsure
		}
		return fenceLine
	case (c == '-' || c == '=') && belowText && isUnderline(text):
		return unsure
	}
	return plainLine
}

// fenceEnd is where the lines of a fence end whose first line is src[at:end].
func fenceEnd(src []byte, at, end int) int {
	fence := fenceOf(src[at:end])
	for closed := false; end < len(src) && !closed; {
		at, end = end, lineEnd(src, end)
		text := bytes.TrimLeft(src[at:end], " ")
		closed = end-at-len(text) < 4 && closesFence(text, fence)
	}
	return end
}

// commentEnd is where the lines of a comment end that opens at an offset.
func commentEnd(src []byte, at int) int {
	if i := bytes.Index(src[at:], []byte("-->")); i >= 0 {
		return lineEnd(src, at+i)
	}
	return len(src)
}
