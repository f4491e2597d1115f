// Package markup writes the Markdown of checkpoints as HTML.
//
// It renders what checkpoints use: headings, lists, tables, code, strong and struck text, and
// links if the caller has any. Everything else is text: no tag of a file reaches the page.
package markup

import (
	"fmt"
	"html"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/term"
)

// Page is a page on which checkpoints are written.
type Page struct {
	// Link returns the address for the target of a link, for an address in text, and for an id: the
	// empty string if it leads nowhere. Without Link nothing becomes a link.
	Link func(target string) (href string)
}

// Anchor returns the id of the heading of a section, by the index of the section.
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
			fmt.Fprintf(b, "<dt>%s</dt><dd>%s</dd>", Text(f.Key), p.linked(f.Value))
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

func (p Page) blocks(b *strings.Builder, d *doc.Doc, within doc.Span) {
	for _, block := range d.Blocks(within) {
		switch block.Kind {
		case doc.Paragraph:
			if tables := d.Tables(block.Span); len(tables) > 0 {
				p.table(b, d, block.Span, tables[0])
				continue
			}
			p.paragraph(b, d.Slice(block.Span))
		case doc.List:
			p.list(b, d.Items(block.Span))
		case doc.Other:
			fmt.Fprintf(b, "<pre>%s</pre>\n", Text(unfenced(d.Slice(block.Span))))
		}
	}
}

func (p Page) paragraph(b *strings.Builder, text string) {
	text = strings.TrimSpace(text)
	if text != "" {
		fmt.Fprintf(b, "<p>%s</p>\n", p.Inline(text))
	}
}

// table writes a table with the text before and after it in the same paragraph.
func (p Page) table(b *strings.Builder, d *doc.Doc, block doc.Span, t doc.Table) {
	p.paragraph(b, d.Slice(doc.Span{Start: block.Start, End: t.Span.Start}))
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
	p.paragraph(b, d.Slice(doc.Span{Start: t.Span.End, End: block.End}))
}

// list writes the lines of an item unchanged, so nested lists stay readable.
func (p Page) list(b *strings.Builder, items []doc.Entry) {
	b.WriteString("<ul>\n")
	for _, item := range items {
		number := ""
		if strings.HasSuffix(item.Marker, ".") || strings.HasSuffix(item.Marker, ")") {
			number = "<span class=\"number\">" + Text(item.Marker) + "</span> "
		}
		fmt.Fprintf(b, "<li>%s%s</li>\n", number, p.Inline(item.Text))
	}
	b.WriteString("</ul>\n")
}

// unfenced returns code without its fence.
func unfenced(code string) string {
	first, rest, _ := strings.Cut(code, "\n")
	fence := strings.TrimLeft(first, " ")
	if !strings.HasPrefix(fence, "```") && !strings.HasPrefix(fence, "~~~") {
		return code
	}
	last := strings.LastIndexByte(strings.TrimRight(rest, "\r\n"), '\n')
	if strings.HasPrefix(strings.TrimLeft(rest[last+1:], " "), fence[:3]) {
		rest = rest[:max(last, 0)]
	}
	return rest
}
