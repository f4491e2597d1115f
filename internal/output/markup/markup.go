// Package markup writes the Markdown of checkpoints as HTML.
//
// goldmark parses and renders it. HTML in a file is shown as text: no tag of a file reaches the page.
package markup

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
)

// Page renders checkpoints for a page.
type Page struct {
	// Link returns the URL for a target: the destination of a Markdown link, an address in text, or the id of a
	// checkpoint. It returns "" if there is nothing to link to. If Link is nil, nothing becomes a link.
	Link func(target string) (href string)
}

// Anchor returns the HTML id of the heading of the section with the given index.
func Anchor(section int) string { return fmt.Sprintf("s%d", section+1) }

// Text escapes text of several lines, and removes characters that are not text.
func Text(text string) string { return html.EscapeString(Harmless(text)) }

// Harmless returns text without characters that control terminals or that XML does not allow.
func Harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, term.Plain(text))
}

// Checkpoint returns a checkpoint as HTML: its keys, then its sections in the order of the file,
// without empty ones. The headings have the ids of [Anchor].
func (p Page) Checkpoint(c *checkpoint.Checkpoint) string {
	b := &strings.Builder{}
	b.WriteString("<dl>")
	for _, f := range c.Doc.Front.Fields {
		if f.Value != "" {
			fmt.Fprintf(b, "<dt>%s</dt><dd>%s</dd>", Text(f.Key), p.linked(Text(f.Value)))
		}
	}
	b.WriteString("</dl>\n")
	p.blocks(b, c.Doc, c.Doc.Preamble())
	for i, s := range c.Doc.Sections() {
		if c.Doc.IsEmpty(s) {
			continue
		}
		fmt.Fprintf(b, "<h%d id=\"%s\">%s</h%[1]d>\n", min(s.Level+1, 6), Anchor(i), p.Inline(s.Title))
		p.blocks(b, c.Doc, s.Body)
	}
	return b.String()
}

// blocks writes the blocks of a section, without comments and horizontal rules.
func (p Page) blocks(b *strings.Builder, d *doc.Doc, within doc.Span) {
	for _, block := range d.Blocks(within) {
		rest := block.Span
		for _, t := range d.Tables(rest) {
			b.WriteString(p.html(blocks.Get(), d.Slice(doc.Span{Start: rest.Start, End: t.Span.Start})))
			p.table(b, t)
			rest.Start = t.Span.End
		}
		text := d.Slice(rest)
		switch {
		case block.Kind == doc.Comment || block.Kind == doc.Rule:
		case block.Kind == doc.Other && strings.HasPrefix(strings.TrimLeft(text, " "), "<"):
			fmt.Fprintf(b, "<pre><code>%s</code></pre>\n", Text(text))
		default:
			b.WriteString(p.html(blocks.Get(), text))
		}
	}
}

func (p Page) table(b *strings.Builder, t doc.Table) {
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for _, cell := range cells {
			fmt.Fprintf(b, "<%s>%s</%[1]s>", tag, p.Inline(cell))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n")
	row("th", t.Header)
	for _, r := range t.Rows {
		row("td", r.Cells)
	}
	b.WriteString("</table>\n")
}

// Inline renders a text with only inline Markdown, such as emphasis and links.
func (p Page) Inline(text string) string {
	return strings.TrimSuffix(strings.NewReplacer("<p>", "", "</p>", "").Replace(p.html(paragraphs.Get(), text)), "\n")
}

// html returns Markdown as HTML.
func (p Page) html(by parser.Parser, markdown string) string {
	var b strings.Builder
	src := []byte(Harmless(markdown))
	_ = writer.Get().Render(&b, src, by.Parse(gmtext.NewReader(src))) // a Builder has no errors
	return p.linked(strings.Map(func(r rune) rune {                   // entities such as &#27; are control characters now
		if ' ' <= r && r <= '~' || Harmless(string(r)) == string(r) {
			return r
		}
		return -1
	}, b.String()))
}

// linkable matches the links, images and other tags in goldmark's HTML, and the words in its text that may
// be an address or the id of a checkpoint.
var linkable = text.Regexp(`(?s)<a href="([^"]*)"[^>]*>(.*?)</a>|<img src="([^"]*)" alt="([^"]*)"[^>]*>|<[^>]*>|` +
	`https?://(?:[^\s<>"&` + "`" + `]|&amp;|&#39;)+|[A-Za-z0-9][A-Za-z0-9._-]*`)

// linked sets the addresses of the links in HTML. A link that leads nowhere becomes the Markdown it was made
// from. Addresses in text and ids that begin with chk- become links. Other ids do not, because they could be
// any word.
func (p Page) linked(markup string) string {
	return linkable.Get().ReplaceAllStringFunc(markup, func(found string) string {
		m := linkable.Get().FindStringSubmatch(found)
		switch {
		case strings.HasPrefix(found, "<a "):
			inner := Page{}.linked(m[2])
			return p.link(html.UnescapeString(m[1]), inner, "["+inner+"]("+m[1]+")")
		case strings.HasPrefix(found, "<img "):
			return "!" + p.link(html.UnescapeString(m[3]), m[4], "["+m[4]+"]("+m[3]+")")
		case found[0] == '<', !strings.HasPrefix(found, "chk-") && !strings.Contains(found, "://"):
			return found
		}
		name := html.UnescapeString(found)
		bare := strings.TrimRight(name, ".,;:!?'*_~-)]}")
		return p.link(bare, Text(bare), Text(bare)) + Text(name[len(bare):])
	})
}

// link returns a link to an address with a text. If the address leads nowhere, it returns its last argument.
func (p Page) link(address, text, instead string) string {
	if p.Link != nil {
		if href := p.Link(address); href != "" {
			return fmt.Sprintf("<a href=\"%s\">%s</a>", Text(href), text)
		}
	}
	return instead
}

// blocks parses all kinds of blocks but HTML; paragraphs parses everything as paragraphs.
var (
	blocks     = text.Lazy[parser.Parser]{Make: func() parser.Parser { return inlineParser(doc.BlockParsers()...) }}
	paragraphs = text.Lazy[parser.Parser]{Make: func() parser.Parser {
		return inlineParser(util.Prioritized(parser.NewParagraphParser(), 100))
	}}
	// writer renders parsed Markdown. WithUnsafe is safe, because the parser keeps no HTML and linked checks addresses.
	writer = text.Lazy[renderer.Renderer]{Make: func() renderer.Renderer {
		nodes := util.Prioritized(gmhtml.NewRenderer(gmhtml.WithUnsafe()), 100)
		return renderer.NewRenderer(renderer.WithNodeRenderers(nodes))
	}}
)

// inlineParser returns a parser of blocks and of inline syntax without HTML.
func inlineParser(blocks ...util.PrioritizedValue) parser.Parser {
	blocks = slices.DeleteFunc(blocks, func(b util.PrioritizedValue) bool {
		return b.Value == parser.NewHTMLBlockParser()
	})
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewEmphasisParser(), 300),
		util.Prioritized(strikeParser{}, 400),
	))
}

// strikeParser parses ~~struck text~~. It replaces goldmark's own, whose package takes 0.7 ms to start.
type strikeParser struct{}

func (strikeParser) Trigger() []byte { return []byte{'~'} }

func (s strikeParser) Parse(_ ast.Node, r gmtext.Reader, pc parser.Context) ast.Node {
	line, segment := r.PeekLine()
	d := parser.ScanDelimiter(line, r.PrecendingCharacter(), 2, s)
	if d == nil || d.OriginalLength != 2 {
		return nil
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	r.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

func (strikeParser) IsDelimiter(c byte) bool { return c == '~' }

func (strikeParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (strikeParser) OnMatch(int) ast.Node {
	n := ast.NewEmphasis(1)
	n.SetAttributeString("class", []byte("struck"))
	return n
}
