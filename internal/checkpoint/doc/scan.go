package doc

import (
	"bytes"
	"strings"
)

// scanBody adds the sections and blocks of a body of ordinary Markdown to b, as readBody does, but
// many times as fast. It knows headings with a hash, paragraphs, lists, fences, quotes, comments
// and rules. It reports false for a body with anything ambiguous: an underlined heading, other
// HTML, indented code, a tab before text. FuzzScan compares it with goldmark.
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

// scanner is the state between two lines. "listed" and "fenced" name the block that is open.
type scanner struct {
	src []byte
	body
	open  opened
	blank bool // the line before is blank
	end   int  // the end of the last line that is not blank

	fence   []byte // if fenced: the characters that opened the fence
	marker  byte   // if listed: the bullet, or the dot or bracket after a number
	margin  int    // if listed: the indent of the text of the last item
	lazy    bool   // if listed: the line before certainly belongs to a paragraph
	strange bool   // if listed: the last item contains more than paragraphs and lists
	first   int    // if listed: the index of its first item in all items
}

// opened is the kind of block that the next line may continue.
type opened int

const (
	nothing opened = iota
	paragraph
	listed
	fenced
	commented
	quote
)

// line reads one line. It reports false if the line is ambiguous.
func (s *scanner) line(at, end int) bool {
	line := s.src[at:end]
	text := bytes.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if isBlank(text) {
		s.blank = true
		if s.open == paragraph || s.open == quote {
			s.open = nothing
		}
		return true
	}
	ok := s.text(at, end, indent, text)
	s.blank, s.end = false, end
	return ok
}

// text reads a line that is not blank. It reports false if the line is ambiguous.
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
	case text[0] < ' ': // the line begins with a tab or another control character
		return false
	case s.open == listed && indent >= s.margin:
		return s.inItem(indent, text)
	case indent > 3:
		return s.continuesParagraph()
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
	return s.continuesParagraph()
}

// continuesParagraph reports whether the next line certainly belongs to the paragraph before it,
// whatever its text is.
func (s *scanner) continuesParagraph() bool {
	return s.open == paragraph || s.open == listed && s.lazy && !s.blank
}

// item reads the first line of an item. It reports false if the line is ambiguous.
func (s *scanner) item(at, indent, width int, text []byte) bool {
	rest := bytes.TrimLeft(text[width:], " ")
	gap := len(text) - width - len(rest)
	if gap < 1 || gap > 4 || !isPlain(rest) {
		return false // an empty item, or one that contains another kind of block
	}
	if marker := text[width-1]; s.open != listed || s.marker != marker {
		mayBeText := s.open != nothing && !s.blank
		if mayBeText && width > 1 && string(text[:width-1]) != "1" {
			return false // only a numbered list that begins with 1 ends a paragraph
		}
		s.begin(at, List, listed)
		s.marker, s.first = marker, len(s.items)
	}
	s.items = append(s.items, at)
	s.margin = indent + width + gap
	s.lazy, s.strange = true, false
	return true
}

// inItem reads a further line of an item. Everything at that indent belongs to the item. It reports
// false if the line is ambiguous, such as an empty nested item, which could end the whole list.
func (s *scanner) inItem(indent int, text []byte) bool {
	plain := isPlain(text)
	s.strange = s.strange || !plain // the block may continue after blank lines
	if s.blank {
		s.lazy = indent < s.margin+4
	}
	s.lazy = s.lazy && !s.strange
	return plain || text[0] != '>' && markerWidth(text) == 0
}

// comment reads a line of a comment.
func (s *scanner) comment(text []byte) {
	if bytes.Contains(text, []byte("-->")) {
		s.open = nothing
	}
}

// begin begins a block and ends the one before it.
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

// nameSections sets the titles of sections. All titles share one string, and so one allocation.
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

// endBlock ends the last block.
func (s *scanner) endBlock() {
	if s.open == listed {
		s.blocks[len(s.blocks)-1].items = s.items[s.first:len(s.items):len(s.items)]
	}
	s.endLast(s.src, s.end)
}

// isPlain reports whether text, at the start of a line or after a list marker, certainly is part of
// a paragraph. After a list marker it begins one.
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
	if n+1 < len(text) && text[n+1] > ' ' {
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
	if n < 3 {
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
