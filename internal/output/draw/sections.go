package draw

import (
	"fmt"
	"html"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/term"
)

// writeCheckpoint writes what a checkpoint says as HTML: its keys, then its sections in
// the order of the file. Of Markdown it draws what checkpoints are made of: headings,
// lists, tables, code, strong and struck text. All else is the text that it is.
func writeCheckpoint(b *strings.Builder, c *checkpoint.Checkpoint) {
	b.WriteString("<dl>")
	for _, f := range c.Doc.Front.Fields {
		if f.Value != "" {
			fmt.Fprintf(b, "<dt>%s</dt><dd>%s</dd>", htmlText(f.Key), htmlText(f.Value))
		}
	}
	b.WriteString("</dl>\n")
	writeBlocks(b, c.Doc, c.Doc.Preamble())
	for _, s := range c.Doc.Sections() {
		level := min(s.Level+1, 6)
		fmt.Fprintf(b, "<h%d>%s</h%[1]d>\n", level, inline(s.Title))
		writeBlocks(b, c.Doc, s.Body)
	}
}

func writeBlocks(b *strings.Builder, d *doc.Doc, within doc.Span) {
	for _, block := range d.Blocks(within) {
		switch block.Kind {
		case doc.Paragraph:
			if tables := d.Tables(block.Span); len(tables) > 0 {
				writeTable(b, d, block.Span, tables[0])
				continue
			}
			writeParagraph(b, d.Slice(block.Span))
		case doc.List:
			writeList(b, d.Items(block.Span))
		case doc.Other:
			fmt.Fprintf(b, "<pre>%s</pre>\n", htmlText(unfenced(d.Slice(block.Span))))
		}
	}
}

func writeParagraph(b *strings.Builder, text string) {
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintf(b, "<p>%s</p>\n", inline(text))
	}
}

// writeTable writes a table and what stands before and behind it in its paragraph.
func writeTable(b *strings.Builder, d *doc.Doc, block doc.Span, t doc.Table) {
	writeParagraph(b, d.Slice(doc.Span{Start: block.Start, End: t.Span.Start}))
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for _, cell := range cells {
			fmt.Fprintf(b, "<%s>%s</%[1]s>", tag, inline(cell))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n")
	row("th", t.Header)
	for _, r := range t.Rows {
		row("td", r.Cells)
	}
	b.WriteString("</table>\n")
	writeParagraph(b, d.Slice(doc.Span{Start: t.Span.End, End: block.End}))
}

// writeList keeps the lines of an item as they are, so a nested list reads as one.
func writeList(b *strings.Builder, items []doc.Entry) {
	b.WriteString("<ul>\n")
	for _, item := range items {
		number := ""
		if strings.HasSuffix(item.Marker, ".") || strings.HasSuffix(item.Marker, ")") {
			number = "<span class=\"number\">" + htmlText(item.Marker) + "</span> "
		}
		fmt.Fprintf(b, "<li>%s%s</li>\n", number, inline(item.Text))
	}
	b.WriteString("</ul>\n")
}

// unfenced is code without the fence around it.
func unfenced(code string) string {
	first, rest, _ := strings.Cut(code, "\n")
	fence := strings.TrimLeft(first, " ")
	if !strings.HasPrefix(fence, "```") && !strings.HasPrefix(fence, "~~~") {
		return code
	}
	if at := strings.LastIndexByte(strings.TrimRight(rest, "\r\n"), '\n'); strings.HasPrefix(strings.TrimLeft(rest[at+1:], " "), fence[:3]) {
		rest = rest[:max(at, 0)]
	}
	return rest
}

// marks are what stands around text that is drawn in another way, and how.
var marks = []struct{ mark, tag string }{{"`", "code"}, {"**", "strong"}, {"~~", "s"}}

// inline is text with its marks drawn. A mark without its other one is text. What stands
// in code is not looked into.
func inline(text string) string {
	var b strings.Builder
	none := map[string]bool{} // marks that do not come again
	for text != "" {
		at := strings.IndexAny(text, "`*~")
		if at < 0 {
			break
		}
		b.WriteString(htmlText(text[:at]))
		text = text[at:]
		inner, rest, tag := marked(text, none)
		if tag == "" {
			b.WriteString(htmlText(text[:1]))
			text = text[1:]
			continue
		}
		if tag != "code" {
			inner = inline(inner)
		} else {
			inner = htmlText(inner)
		}
		fmt.Fprintf(&b, "<%s>%s</%[1]s>", tag, inner)
		text = rest
	}
	b.WriteString(htmlText(text))
	return b.String()
}

// marked cuts the marked text off the beginning; tag is "" where there is none.
func marked(text string, none map[string]bool) (inner, rest, tag string) {
	for _, m := range marks {
		after, ok := strings.CutPrefix(text, m.mark)
		if !ok || none[m.mark] {
			continue
		}
		inner, rest, ok = strings.Cut(after, m.mark)
		if none[m.mark] = !ok; ok && strings.TrimSpace(inner) != "" {
			return inner, rest, m.tag
		}
	}
	return "", "", ""
}

// htmlText is harmless text of several lines.
func htmlText(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, term.Plain(text)))
}
