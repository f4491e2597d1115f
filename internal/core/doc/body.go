package doc

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Section is a heading and what stands below it. Only headings of the document
// itself count: one in a fence, a comment, a quote or a list item is text.
type Section struct {
	Level   int    // 1 to 6
	Title   string // the heading's text, as written
	Heading Span   // the heading's lines, line break included
	Body    Span   // up to the next heading of any level
	Whole   Span   // heading, body and all sections of a deeper level
}

// Kind is what a block is, as far as ckpt cares.
type Kind int

// The kinds of block.
const (
	Other     Kind = iota // fences, quotes, indented code, HTML
	Paragraph             // also a table: [Doc.Tables]
	List
	Comment // an HTML comment that stands alone
	Rule    // a thematic break
)

// Block is a top-level block: a paragraph, a list, a fence. Its span runs to the
// end of its last line that is not blank.
type Block struct {
	Kind  Kind
	Span  Span
	items []int // where the items of a list begin
}

type body struct {
	sections []Section
	blocks   []Block
}

// blocksOnly reads the block structure of CommonMark: no inline syntax, no link
// definitions, nothing that can be quadratic in the length of a line.
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

func parseBody(src []byte, start int) body {
	root := blocksOnly().Parse(text.NewReader(src[start:]))
	var b body
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		at := lineStart(src, start+min(max(n.Pos(), 0), len(src)-start))
		if at < start {
			at = start
		}
		b.endLast(src, at)
		if h, ok := n.(*ast.Heading); ok {
			b.sections = append(b.sections, heading(src, start, at, h))
			continue
		}
		b.blocks = append(b.blocks, block(src, start, at, n))
	}
	b.endLast(src, len(src))
	closeSections(b.sections, len(src))
	return b
}

// endLast ends the last block before the offset at which the next thing begins.
func (b *body) endLast(src []byte, next int) {
	if len(b.blocks) == 0 {
		return
	}
	last := &b.blocks[len(b.blocks)-1]
	if last.Span.End != 0 {
		return
	}
	last.Span.End = next
	for last.Span.End > last.Span.Start {
		line := lineStart(src, last.Span.End-1)
		if line < last.Span.Start || len(bytes.TrimSpace(src[line:last.Span.End])) > 0 {
			break
		}
		last.Span.End = line
	}
}

func block(src []byte, start, at int, n ast.Node) Block {
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
			b.items = append(b.items, lineStart(src, start+min(max(item.Pos(), 0), len(src)-start)))
		}
	}
	return b
}

func heading(src []byte, start, at int, h *ast.Heading) Section {
	end := lineEnd(src, at)
	var title []string
	for i := range h.Lines().Len() {
		line := h.Lines().At(i)
		title = append(title, strings.TrimSpace(string(line.Value(src[start:]))))
		end = max(end, lineEnd(src, start+line.Start))
	}
	if t := bytes.TrimLeft(src[at:end], " "); len(t) == 0 || t[0] != '#' { // setext: the underline is a line more
		end = lineEnd(src, end)
	}
	return Section{Level: h.Level, Title: strings.Join(title, " "), Heading: Span{at, end}}
}

// closeSections ends each body at the next heading and each whole section at the
// next heading that is not deeper, in one pass from the end.
func closeSections(sections []Section, end int) {
	var next [7]int // where the next heading of a level, or a higher one, begins
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

// maxDepth bounds how deep quotes and lists may open on one line.
const maxDepth = 500

// tooDeep is the number of the first line that opens more than maxDepth
// containers, or 0. Such a line costs a Markdown parser quadratic time.
func tooDeep(src []byte, start int) int {
	for at := start; at < len(src); {
		end := lineEnd(src, at)
		if end-at > maxDepth && openers(src[at:end]) > maxDepth && !isRule(src[at:end]) {
			return 1 + bytes.Count(src[:at], []byte("\n"))
		}
		at = end
	}
	return 0
}

// openers counts the quote and list markers at the start of a line.
func openers(line []byte) int {
	n := 0
	for i, c := range line {
		switch c {
		case '>':
			n++
		case '-', '*', '+', '.', ')':
			if i+1 == len(line) || line[i+1] != ' ' && line[i+1] != '\t' {
				return n
			}
			n++
		case ' ', '\t', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		default:
			return n
		}
	}
	return n
}

// isRule says whether a line is a thematic break.
func isRule(line []byte) bool {
	line = bytes.TrimSpace(line)
	n := 0
	for _, c := range line {
		switch {
		case c == line[0] && (c == '-' || c == '*' || c == '_'):
			n++
		case c == ' ' || c == '\t':
		default:
			return false
		}
	}
	return n >= 3
}
