package doc

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Section is a heading and what follows it. Headings in a code fence, a comment, a quote or a list
// item do not count.
type Section struct {
	Level   int    // 1 to 6
	Title   string // the heading's text, as written
	Heading Span   // the heading's lines with the line break
	Body    Span   // up to the next heading of any level
	Whole   Span   // heading, body and all sections of a deeper level
}

// PlainTitle returns a title in lower case, without markup around it.
func PlainTitle(title string) string { return strings.ToLower(strings.Trim(title, "*_`: \t")) }

// Kind is the kind of a block.
type Kind int

const (
	Other     Kind = iota // a code fence, a quote, indented code or HTML
	Paragraph             // tables are paragraphs, too: see [Doc.Tables]
	List
	Comment // an HTML comment with nothing after it
	Rule    // a thematic break
)

// Block is a top-level block: a paragraph, a list, a code fence. Its span ends with its last line
// that is not blank.
type Block struct {
	Kind  Kind
	Span  Span
	items []int // for a list, the starts of its items
}

// body is the parsed part of the file below the frontmatter.
type body struct {
	sections []Section
	blocks   []Block
	items    []int // the starts of the items of all blocks, if the scanner found them
}

// emptied returns an empty body that reuses the memory of b.
func (b *body) emptied() body { return body{b.sections[:0], b.blocks[:0], b.items[:0]} }

// blocksOnly returns a parser for the block structure of CommonMark, without inline syntax and link
// definitions: these can take time quadratic in the length of a line.
func blocksOnly() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	))
}

// parseBody adds the sections and blocks of src from start on to b.
func parseBody(src []byte, start int, b body) body {
	if more, ok := scanBody(src, start, b); ok {
		return more
	}
	return readBody(src, start, b)
}

// readBody does the work of parseBody with goldmark, for any text.
func readBody(src []byte, start int, b body) body {
	short := squeeze(src[start:])
	line := func(pos int) int { // line returns the start, in src, of the line at goldmark's position pos
		return max(lineStart(src, min(start+short.back(max(pos, 0)), len(src))), start)
	}
	root := blocksOnly().Parse(text.NewReader(short.text))
	known := len(b.sections)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		at := line(n.Pos())
		b.endLast(src, at)
		if h, ok := n.(*ast.Heading); ok {
			b.sections = append(b.sections, heading(src, at, line, h))
			continue
		}
		b.blocks = append(b.blocks, block(at, line, n))
	}
	b.endLast(src, len(src))
	closeSections(b.sections[known:], len(src))
	return b
}

// endLast ends the last block, before the offset at which the next block begins.
func (b *body) endLast(src []byte, next int) {
	if len(b.blocks) == 0 {
		return
	}
	last := &b.blocks[len(b.blocks)-1]
	if last.Span.End != 0 {
		return
	}
	last.Span.End = trimBlank(src, last.Span.Start, next)
	if last.Kind == Comment && !loneComment(src[last.Span.Start:last.Span.End]) {
		last.Kind = Other
	}
}

// loneComment reports whether nothing follows the comment that text begins with.
func loneComment(text []byte) bool {
	_, rest, _ := bytes.Cut(text, []byte("-->"))
	return isBlank(rest)
}

func block(at int, line func(int) int, n ast.Node) Block {
	b := Block{Span: Span{Start: at}}
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		b.Kind = Paragraph
	case *ast.ThematicBreak:
		b.Kind = Rule
	case *ast.HTMLBlock:
		if n.HTMLBlockType == ast.HTMLBlockType2 {
			b.Kind = Comment
		}
	case *ast.List:
		b.Kind = List
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			b.items = append(b.items, line(item.Pos()))
		}
	}
	return b
}

func heading(src []byte, at int, line func(int) int, h *ast.Heading) Section {
	var title []string
	end := lineEnd(src, at)
	for i := range h.Lines().Len() {
		from := line(h.Lines().At(i).Start)
		end = max(end, lineEnd(src, from))
		title = append(title, string(bytes.TrimSpace(src[from:lineEnd(src, from)])))
	}
	if isATX(src[at:end]) {
		return Section{Level: h.Level, Title: string(atxTitle(src[at:end])), Heading: Span{at, end}}
	}
	end = lineEnd(src, end) // the line that underlines a setext heading
	return Section{Level: h.Level, Title: strings.Join(title, " "), Heading: Span{at, end}}
}

// isATX reports whether a heading has the form `## Title`. An underlined heading may begin with a
// hash, too: "#1 of two".
func isATX(line []byte) bool { return atxLevel(bytes.TrimLeft(line, " ")) > 0 }

// atxTitle returns the text of a `## Title ##` line.
func atxTitle(line []byte) []byte {
	title := bytes.TrimSpace(bytes.TrimLeft(bytes.TrimLeft(line, " "), "#"))
	open := bytes.TrimRight(title, "#")
	if text := bytes.TrimRight(open, " \t"); len(open) == 0 || len(text) < len(open) {
		return bytes.TrimSpace(text)
	}
	return title
}

// closeSections sets the end of each body to the next heading, and the end of each whole section to
// the next heading that is not deeper, in one pass from the end of the file.
func closeSections(sections []Section, end int) {
	var next [7]int // the start of the next heading of this level or a higher one
	for l := range next {
		next[l] = end
	}
	body := end
	for i := len(sections) - 1; i >= 0; i-- {
		s := &sections[i]
		s.Body = Span{s.Heading.End, max(body, s.Heading.End)}
		s.Whole = Span{s.Heading.Start, max(next[s.Level], s.Heading.End)}
		body = s.Heading.Start
		for l := s.Level; l < len(next); l++ {
			next[l] = s.Heading.Start
		}
	}
}
