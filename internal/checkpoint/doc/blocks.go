package doc

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.com/ckpt/internal/text"
)

// blockParser parses the blocks of Markdown without inline syntax and link definitions.
var blockParser = text.Lazy[parser.Parser]{Make: func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(BlockParsers()...))
}}

// BlockParsers returns goldmark's parsers of blocks, with a limit on nesting.
func BlockParsers() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(listParser{shallow{parser.NewListParser()}}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
}

// maxDepth is the maximum number of blocks around a list or a quote. On every line the parser does
// work for each open block; this limit keeps the work in proportion to the size of the file.
const maxDepth = 100

// shallow parses lists or quotes up to maxDepth. Deeper ones are text.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(in ast.Node, r gmtext.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := in; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(in, r, pc)
}

// listParser also continues a list where goldmark ends it too early: below an empty item, or below an item that ends
// with an empty one.
type listParser struct{ shallow }

func (p listParser) Continue(list ast.Node, r gmtext.Reader, pc parser.Context) parser.State {
	line, at := r.PeekLine()
	item := list.LastChild().(*ast.ListItem)
	width, _ := util.IndentWidth(line, r.LineOffset())
	if util.IsBlank(line) || width < item.Offset {
		return p.shallow.Continue(list, r, pc)
	}
	// An item that begins with an empty line ends at the next blank one.
	if item.HasChildren() || bytes.Count(r.Source()[item.Pos():at.Start], []byte("\n")) == 1 {
		return parser.Continue | parser.HasChildren
	}
	return p.shallow.Continue(list, r, pc)
}

// parseBody returns the sections and blocks of src from the offset start on.
func parseBody(src []byte, start int) (b body) {
	text := slices.Clip(src[start:])      // goldmark may append to the slice, which must not change src
	if bytes.IndexByte(text, '\r') >= 0 { // goldmark parses an empty item differently if it ends with \r\n
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte(" \n"))
	}
	line := func(n ast.Node) int { return start + lineStart(text, n.Pos()) }
	root := blockParser.Get().Parse(gmtext.NewReader(text))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		next := len(src)
		if n.NextSibling() != nil {
			next = line(n.NextSibling())
		}
		span := Span{line(n), trimBlank(src, line(n), next)}
		if h, ok := n.(*ast.Heading); ok {
			b.sections = append(b.sections, Section{Level: h.Level, Title: title(text, h), Heading: span})
			continue
		}
		block := Block{Kind: kindOf(src[span.Start:span.End], n), Span: span}
		if block.Kind == List {
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				block.items = append(block.items, line(item))
			}
		}
		b.blocks = append(b.blocks, block)
	}
	closeSections(b.sections, len(src))
	return b
}

// title returns the text of a heading, whose lines become one.
func title(src []byte, h *ast.Heading) string {
	var lines []string
	for _, line := range h.Lines().Sliced(0, h.Lines().Len()) {
		lines = append(lines, string(bytes.Trim(line.Value(src), " \t\r\n"))) // no-break spaces stay
	}
	return strings.Join(lines, " ")
}

// kindOf returns the kind of a block.
func kindOf(text []byte, n ast.Node) Kind {
	switch n := n.(type) {
	case *ast.Paragraph:
		return Paragraph
	case *ast.ThematicBreak:
		return Rule
	case *ast.List:
		return List
	case *ast.HTMLBlock:
		// An unclosed comment does not count: the text in it was probably not meant to be one.
		_, rest, closed := bytes.Cut(text, []byte("-->"))
		if n.HTMLBlockType == ast.HTMLBlockType2 && closed && util.IsBlank(rest) {
			return Comment
		}
	}
	return Other
}

// closers has the start and the end of each kind of HTML block that may contain blank lines.
var closers = [][2]string{{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}, {"<", "</pre>"}}

// leftOpen returns the start of the last block if it is code or HTML that is open at the end of src, and
// what closes it. Otherwise it returns the end of src and an empty text.
func (b *body) leftOpen(src []byte) (start int, closer string) {
	if len(b.blocks) == 0 || b.blocks[len(b.blocks)-1].Kind != Other {
		return len(src), ""
	}
	start = b.blocks[len(b.blocks)-1].Span.Start
	text := bytes.TrimLeft(src[start:], " ")
	if text[0] == '`' || text[0] == '~' {
		closer = string(text[:len(text)-len(bytes.TrimLeft(text, string(text[:1])))])
	}
	for _, c := range closers {
		if closer == "" && bytes.HasPrefix(text, []byte(c[0])) {
			closer = c[1]
		}
	}
	if closer == "" || len(parseBody([]byte(string(src[start:])+"\n\n#"), 0).sections) > 0 {
		return len(src), ""
	}
	return start, closer
}
