package doc

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxBlank is the number of blank lines in a row that goldmark gets at most.
const maxBlank = 16

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
		endLast(&b, src, at)
		if h, ok := n.(*ast.Heading); ok {
			b.sections = append(b.sections, heading(src, at, line, h))
			continue
		}
		b.blocks = append(b.blocks, block(at, line, n))
	}
	endLast(&b, src, len(src))
	closeSections(b.sections[known:], len(src))
	return b
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

// squeezed is a text in which long runs of blank lines are shortened. Two blank lines in a row have
// the same meaning as many.
type squeezed struct {
	text []byte
	cuts []cut
}

// cut is an offset in the squeezed text, and the number of bytes missing before it.
type cut struct{ at, missing int }

func squeeze(src []byte) squeezed {
	s := squeezed{text: src}
	var kept []byte // allocated only if something is cut
	from := 0       // from is the end of the text that was copied to kept
	for at := 0; at < len(src); {
		end, lines, second := at, 0, 0
		for end < len(src) {
			next := lineEnd(src, end)
			if !isBlank(src[end:next]) {
				break
			}
			lines++
			if lines == 2 {
				second = next
			}
			end = next
		}
		if lines > maxBlank && end < len(src) {
			kept = append(kept, src[from:second]...)
			s.cuts = append(s.cuts, cut{len(kept), end - len(kept)})
			from = end
		}
		at = lineEnd(src, end)
	}
	if len(s.cuts) > 0 {
		s.text = append(kept, src[from:]...)
	}
	return s
}

// back returns the offset in the whole text for an offset in the squeezed text.
func (s squeezed) back(pos int) int {
	if i := sort.Search(len(s.cuts), func(i int) bool { return s.cuts[i].at > pos }); i > 0 {
		return pos + s.cuts[i-1].missing
	}
	return pos
}

// endLast ends the last block, before the offset at which the next block begins.
func endLast(b *body, src []byte, next int) {
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
