package doc

import (
	"bytes"
	"strings"
)

// scanBody reads a body of ordinary Markdown as readBody does, many times as
// fast. It knows headings with a hash, paragraphs, lists, fences, comments and
// rules. Where a line could mean more (an underlined heading, a quote, other
// HTML, code by indent, a tab before text) ok is false, and the body is
// goldmark's to read: see FuzzScan. What it finds is added to b.
func scanBody(src []byte, start int, b body) (_ body, ok bool) {
	s := scanner{src: src, body: b}
	for at := start; at < len(src); {
		end := lineEnd(src, at)
		if !s.line(at, end) {
			return body{}, false
		}
		at = end
	}
	s.endBlock()
	found := s.sections[len(b.sections):]
	nameSections(src, found)
	closeSections(found, len(src))
	return s.body, true
}

// scanner is the state between two lines: what stands open, and what the next
// line needs to know of it.
type scanner struct {
	src []byte
	body
	open  opened
	blank bool // the line before is blank
	end   int  // of the last line that is not

	fence   []byte // fenced: the characters that opened it
	marker  byte   // listed: what its items begin with; a number's dot or bracket
	margin  int    // listed: where the text of its last item begins
	lazy    bool   // listed: the line before is sure to be a paragraph's
	strange bool   // listed: its last item holds more than paragraphs and lists
	first   int    // listed: the first of its own items among all
}

// opened is the block that may go on with the next line.
type opened int

const (
	nothing opened = iota
	paragraph
	listed
	fenced
	commented
	quote
)

// line reads one line. It says false where it cannot.
func (s *scanner) line(at, end int) bool {
	line := s.src[at:end]
	indent := 0
	for indent < len(line) && line[indent] == ' ' {
		indent++
	}
	text := line[indent:]
	if isBlank(text) {
		if s.blank = true; s.open == paragraph || s.open == quote {
			s.open = nothing
		}
		return true
	}
	ok := s.text(at, end, indent, text)
	s.blank, s.end = false, end
	return ok
}

// text reads a line that is not blank.
func (s *scanner) text(at, end, indent int, text []byte) bool {
	switch {
	case s.open == fenced:
		if indent < 4 && closesFence(text, s.fence) {
			s.open = nothing
		}
		return true
	case s.open == commented:
		s.comment(text)
		return true
	case text[0] < ' ': // a tab, or stranger
		return false
	case s.open == listed && indent >= s.margin:
		return s.inItem(indent, text)
	case indent > 3:
		return s.goesOn()
	}
	switch text[0] {
	case '#':
		if level := atxLevel(text); level > 0 {
			s.heading(at, end, level)
			return true
		}
	case '`', '~':
		if fence := fenceOf(text); len(fence) > 0 {
			s.begin(at, Other, fenced)
			s.fence = fence
			return fence[0] == '~' || bytes.IndexByte(text[len(fence):], '`') < 0
		}
	case '<':
		s.begin(at, Comment, commented)
		s.comment(text)
		return bytes.HasPrefix(text, []byte("<!--"))
	case '>':
		if s.open != quote {
			s.begin(at, Other, quote)
		}
		return true
	case '=', '-', '*', '+', '_', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if isUnderline(text) && s.open == paragraph {
			return false
		}
		if isRule(text) {
			s.begin(at, Rule, nothing)
			return true
		}
		if width := markerWidth(text); width > 0 {
			return s.item(at, indent, width, text)
		}
	}
	if s.open == nothing || s.open == listed && s.blank {
		s.begin(at, Paragraph, paragraph)
		return true
	}
	return s.goesOn()
}

// goesOn says whether a line is sure to be one more of the paragraph before it.
func (s *scanner) goesOn() bool {
	return s.open == paragraph || s.open == listed && s.lazy && !s.blank
}

// item reads the first line of an item.
func (s *scanner) item(at, indent, width int, text []byte) bool {
	rest := bytes.TrimLeft(text[width:], " ")
	gap := len(text) - width - len(rest)
	if gap < 1 || gap > 4 || !isPlain(rest) {
		return false // an empty item, or a block of its own
	}
	if marker := text[width-1]; s.open != listed || s.marker != marker {
		if ordered := width > 1; ordered && s.open != nothing && !s.blank && string(text[:width-1]) != "1" {
			return false // only a list that begins with 1 ends a paragraph
		}
		s.begin(at, List, listed)
		s.marker, s.first = marker, len(s.items)
	}
	s.items = append(s.items, at)
	s.margin, s.lazy, s.strange = indent+width+gap, true, false
	return true
}

// inItem reads a further line of an item. Whatever stands there is the item's; an
// empty item within it could end the whole list, though.
func (s *scanner) inItem(indent int, text []byte) bool {
	plain := isPlain(text)
	s.strange = s.strange || !plain // what this opens may hold the lines below, over blank ones
	s.lazy = !s.strange && (s.blank && indent < s.margin+4 || !s.blank && s.lazy)
	return plain || text[0] != '>' && markerWidth(text) == 0
}

// comment reads a line of a comment, which ends where it says so.
func (s *scanner) comment(text []byte) {
	if bytes.Contains(text, []byte("-->")) {
		s.open = nothing
	}
}

// begin begins a block, which ends the one before it.
func (s *scanner) begin(at int, kind Kind, open opened) {
	s.endBlock()
	s.blocks = append(s.blocks, Block{Kind: kind, Span: Span{Start: at}})
	s.open = open
}

func (s *scanner) heading(at, end, level int) {
	s.endBlock()
	s.sections = append(s.sections, Section{Level: level, Heading: Span{at, end}})
	s.open = nothing
}

// nameSections gives sections their titles, all of them parts of one string.
func nameSections(src []byte, sections []Section) {
	var all strings.Builder
	all.Grow(16 * len(sections))
	for i := range sections {
		from := all.Len()
		all.Write(atxTitle(src[sections[i].Heading.Start:sections[i].Heading.End]))
		sections[i].Body = Span{from, all.Len()}
	}
	for i := range sections {
		sections[i].Title = all.String()[sections[i].Body.Start:sections[i].Body.End]
	}
}

// endBlock ends the last block, if it has not ended before.
func (s *scanner) endBlock() {
	if s.open == listed {
		s.blocks[len(s.blocks)-1].items = s.items[s.first:len(s.items):len(s.items)]
	}
	s.endLast(s.src, s.end)
}

// isPlain says whether text at the start of a line or behind a list's marker is
// sure to be a paragraph's, or to begin one in an item of its own.
func isPlain(text []byte) bool {
	if len(text) > 0 && isWord(text[0]) {
		return true
	}
	if isBlank(text) || isRule(text) || isUnderline(text) {
		return false
	}
	if width := markerWidth(text); width > 0 {
		rest := bytes.TrimLeft(text[width:], " ")
		gap := len(text) - width - len(rest)
		return gap > 0 && gap < 5 && markerWidth(rest) == 0 && isPlain(rest)
	}
	switch text[0] {
	case '#', '<', '>', '=', '+':
		return false
	case '`', '~':
		return len(fenceOf(text)) == 0
	}
	return text[0] > ' '
}

// isWord says whether a line that begins with c means nothing but text.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80 || c == '|'
}

// markerWidth is the length of the list marker at the start of text, 0 where there
// is none.
func markerWidth(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n == len(text) || n > 9 {
		return 0
	}
	switch c := text[n]; {
	case n == 0 && (c == '-' || c == '*' || c == '+'), n > 0 && (c == '.' || c == ')'):
	default:
		return 0
	}
	if n++; n < len(text) && text[n] > ' ' {
		return 0
	}
	return n
}

// atxLevel is the level of the heading that text is, 0 where it is none.
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

// isUnderline says whether text would make a heading of the paragraph above.
func isUnderline(text []byte) bool {
	n := 0
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return (text[0] == '=' || text[0] == '-') && isBlank(text[n:])
}

// fenceOf is the characters that open a fence at the start of text.
func fenceOf(text []byte) []byte {
	n := 0
	for n < len(text) && text[n] == text[0] {
		n++
	}
	if n < 3 {
		return nil
	}
	return text[:n]
}

func closesFence(text, fence []byte) bool {
	n := 0
	for n < len(text) && text[n] == fence[0] {
		n++
	}
	return n >= len(fence) && isBlank(text[n:])
}
