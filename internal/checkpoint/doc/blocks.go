package doc

import (
	"bytes"
	"strings"
)

// parseBody returns the sections and blocks of src from start on, in the memory of b.
//
// It finds the blocks of CommonMark 0.31: first the containers that a line continues, then those
// that it begins, then what the rest of the line is. Inline syntax has no blocks, and link
// definitions are paragraphs. FuzzBlocks compares it with goldmark.
func parseBody(src []byte, start int, b body) body {
	p := blockParser{src: src, body: b}
	for at := start; at < len(src); {
		end := lineEnd(src, at)
		p.readLine(at, end)
		at = end
	}
	p.endBlock()
	if len(p.containers) == 0 {
		switch p.leaf {
		case fenced:
			p.closer = string(p.fence)
		case html:
			p.closer = p.until[0]
		}
	}
	nameSections(src, p.sections)
	closeSections(p.sections, len(src))
	return p.body
}

// blockParser is the state between two lines.
type blockParser struct {
	src []byte
	body

	containers []container // the quotes and items that are open, from the outermost to the innermost
	leaf       leaf        // what is open in the innermost
	fence      []byte      // of a fenced leaf: the characters that opened it
	until      []string    // of an HTML leaf: its last line contains one of these

	listed bool // the last block is a list, which another item can continue
	marker byte // of that list: the bullet, or the dot or bracket after a number
	first  int  // of that list: the index of its first item in items

	end int // the end of the last line that is not blank
}

// container is a block that contains blocks.
type container struct {
	quote  bool // it is a quote, not an item of a list
	margin int  // of an item: how far its text is indented
	empty  bool // of an item: nothing is in it yet
}

// leaf is the kind of a block that contains text.
type leaf int

const (
	closed leaf = iota
	paragraph
	fenced
	indented
	html         // ends with a line that contains a certain text
	htmlElements // ends before a blank line
)

// readLine reads the line between two offsets.
func (p *blockParser) readLine(at, end int) {
	c := cursor{line: p.src[at:end]}
	matched := p.match(&c)
	all := matched == len(p.containers)
	if !all || !p.continues(&c) {
		s := starting{blockParser: p, cursor: &c, at: at, matched: matched, paragraph: all && p.leaf == paragraph}
		s.read()
	}
	if !isBlank(c.line) {
		p.end = end
	}
}

// match goes past the markers of the open containers that the line continues, and returns their
// number.
func (p *blockParser) match(c *cursor) int {
	for i := range p.containers {
		indent, rest := c.indent()
		k := &p.containers[i]
		switch {
		case k.quote && indent < 4 && len(rest) > 0 && rest[0] == '>':
			c.quote(indent)
		case k.quote, k.empty && isBlank(rest):
			return i
		case indent >= k.margin:
			c.advance(k.margin)
		case isBlank(rest):
			c.advance(indent)
		default:
			return i
		}
	}
	return len(p.containers)
}

// continues reports whether the line belongs to the open leaf, all of whose containers it
// continues. A paragraph is not decided here, unless the line is blank.
func (p *blockParser) continues(c *cursor) bool {
	indent, rest := c.indent()
	switch p.leaf {
	case fenced:
		if indent < 4 && len(rest) > 0 && closesFence(rest, p.fence) {
			p.leaf = closed
		}
		return true
	case html:
		p.endHTML(rest)
		return true
	case indented:
		if indent >= 4 || isBlank(rest) {
			return true
		}
	case htmlElements:
		if !isBlank(rest) {
			return true
		}
	case paragraph:
		if !isBlank(rest) {
			return false
		}
	}
	p.leaf = closed
	return false
}

// endHTML ends the open HTML if a line contains its end.
func (p *blockParser) endHTML(line []byte) {
	line = bytes.ToLower(line)
	for _, end := range p.until {
		if bytes.Contains(line, []byte(end)) {
			p.leaf = closed
		}
	}
}

// begin begins a block at the top level and ends the one before it.
func (p *blockParser) begin(at int, kind Kind) {
	p.endBlock()
	p.blocks = append(p.blocks, Block{Kind: kind, Span: Span{Start: at}})
}

// endBlock ends the last block at the top level.
func (p *blockParser) endBlock() {
	if len(p.blocks) == 0 {
		return
	}
	last := &p.blocks[len(p.blocks)-1]
	if last.Span.End != 0 {
		return
	}
	last.Span.End = p.end
	if p.listed {
		last.items = p.items[p.first:len(p.items):len(p.items)]
	}
	if last.Kind == Comment && !loneComment(p.src[last.Span.Start:p.end]) {
		last.Kind = Other
	}
	p.listed = false
}

// loneComment reports whether nothing follows the comment that text begins with. It returns
// false for a comment that is not closed: the text in it was probably not meant to be one.
func loneComment(text []byte) bool {
	_, rest, ended := bytes.Cut(text, []byte("-->"))
	return ended && isBlank(rest)
}

// starting reads the part of a line after the containers that the line continues.
type starting struct {
	*blockParser
	*cursor
	at        int  // the start of the line
	matched   int  // the number of containers that it continues
	opened    bool // a block began on this line
	paragraph bool // the line follows a line of a paragraph in the same containers
}

// read reads the line.
func (s *starting) read() {
	for {
		indent, rest := s.indent()
		if isBlank(rest) {
			if !s.opened {
				s.closeUnmatched()
			}
			return
		}
		if isWord(rest[0]) && indent < 4 {
			break
		}
		if indent >= 4 {
			if s.leaf == paragraph {
				break
			}
			s.open(Other)
			s.leaf = indented
			return
		}
		if s.container(indent, rest) {
			s.paragraph = false
			continue
		}
		if s.text(rest) {
			return
		}
		break
	}
	if s.leaf != paragraph { // else the line continues the paragraph, even if it lacks markers of containers
		s.open(Paragraph)
		s.leaf = paragraph
	}
}

// closeUnmatched closes the containers that the line does not continue.
func (s *starting) closeUnmatched() {
	if s.matched < len(s.containers) {
		s.containers, s.leaf = s.containers[:s.matched], closed
	}
}

// open begins a block that is not an item of a list.
func (s *starting) open(kind Kind) {
	s.child()
	if len(s.containers) == 0 {
		s.begin(s.at, kind)
	}
}

// child prepares the innermost container for another block in it.
func (s *starting) child() {
	if !s.opened {
		s.containers, s.leaf, s.opened = s.containers[:s.matched], closed, true
	}
	if n := len(s.containers); n > 0 {
		s.containers[n-1].empty = false
	}
}

// container begins a quote or an item if the rest of the line does.
func (s *starting) container(indent int, rest []byte) bool {
	if rest[0] == '>' {
		s.open(Other)
		s.containers = append(s.containers, container{quote: true})
		s.quote(indent)
		return true
	}
	width := markerWidth(rest)
	if width == 0 || isRule(rest) {
		return false
	}
	if s.paragraph && (isUnderline(rest) || !interrupts(rest, width)) {
		return false
	}
	s.child()
	if marker := rest[width-1]; len(s.containers) == 0 {
		if !s.listed || s.marker != marker {
			s.begin(s.at, List)
			s.listed, s.marker, s.first = true, marker, len(s.items)
		}
		s.items = append(s.items, s.at)
	}
	s.advance(indent + width)
	gap, text := s.indent()
	empty := isBlank(text)
	if empty || gap > 4 {
		gap = 1
	}
	if !empty {
		s.advance(gap)
	}
	s.containers = append(s.containers, container{margin: indent + width + gap, empty: empty})
	return true
}

// interrupts reports whether a list that begins with a line can follow a line of a paragraph.
func interrupts(line []byte, width int) bool {
	number := strings.TrimLeft(string(line[:width-1]), "0")
	return !isBlank(line[width:]) && (width == 1 || number == "1")
}

// text begins a block of text other than a paragraph if the rest of the line does.
func (s *starting) text(rest []byte) bool {
	switch rest[0] {
	case '#':
		if level := atxLevel(rest); level > 0 {
			s.heading(level, Span{s.at, s.at + len(s.line)})
			return true
		}
	case '`', '~':
		if fence := fenceOf(rest); len(fence) > 0 {
			s.open(Other)
			s.leaf, s.fence = fenced, fence
			return true
		}
	case '<':
		return s.html(rest)
	case '=', '-', '*', '_':
		if s.paragraph && isUnderline(rest) {
			s.underline(rest[0])
			return true
		}
		if isRule(rest) {
			s.open(Rule)
			return true
		}
	}
	return false
}

// heading reads a heading. Only those outside of containers are sections.
func (s *starting) heading(level int, span Span) {
	s.child()
	if len(s.containers) == 0 {
		s.endBlock()
		s.sections = append(s.sections, Section{Level: level, Heading: span})
	}
}

// underline turns the paragraph above the line into a heading.
func (s *starting) underline(c byte) {
	s.leaf = closed
	if len(s.containers) > 0 {
		return
	}
	level := 1
	if c == '-' {
		level = 2
	}
	last := len(s.blocks) - 1
	span := Span{s.blocks[last].Span.Start, s.at + len(s.line)}
	s.blocks = s.blocks[:last]
	s.sections = append(s.sections, Section{Level: level, Heading: span})
}

// html begins HTML if the line does.
func (s *starting) html(rest []byte) bool {
	until, ok := htmlStart(rest, s.leaf != paragraph)
	if !ok {
		return false
	}
	kind := Other
	if bytes.HasPrefix(rest, []byte("<!--")) {
		kind = Comment
	}
	s.open(kind)
	s.leaf, s.until = htmlElements, until
	if until != nil {
		s.leaf = html
		s.endHTML(rest)
	}
	return true
}
