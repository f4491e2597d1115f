package checkpoint

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// replaceText puts text in place of what a section says; its guide in place of
// nothing.
func (c *Checkpoint) replaceText(k Kind, text string) doc.Edit {
	if text == "" && k.Template().Guide != "" {
		text = guide(k)
	}
	p, ok := c.Find(k)
	if !ok {
		return c.newSection(k, text+"\n")
	}
	content := c.Doc.Content(p.Extent)
	if content.Len() == 0 {
		return c.fill(p, text+"\n")
	}
	return doc.Replace(content, c.lines(content, text+"\n"+c.gapAfter(content.End, text)))
}

// gapAfter is the blank line that must stand between text and what follows it:
// HTML swallows lines up to a blank one, and a paragraph the line below it.
func (c *Checkpoint) gapAfter(at int, text string) string {
	next, _, _ := bytes.Cut(c.Doc.Bytes()[at:], []byte("\n"))
	if len(bytes.TrimSpace(next)) == 0 || next[0] == '#' && !strings.Contains(text, "<") {
		return ""
	}
	return "\n"
}

// appendBullets puts entries behind the last list of a section; decisions that
// are kept in a table, into the table. Up is by how much the last
// entry of the list moves up.
func (c *Checkpoint) appendBullets(k Kind, entries []string, up int) doc.Edit {
	p, ok := c.Find(k)
	if !ok {
		return c.newSection(k, bulletList("-", entries)+"\n")
	}
	body := c.Doc.Content(p.Section.Body)
	if body.Len() == 0 {
		body = c.lastContent(p)
	}
	if c.empty(k, body) {
		return c.replaceGuide(p, body, bulletList("-", entries)+"\n")
	}
	blocks := c.Doc.Blocks(body)
	if len(blocks) == 0 { // nothing but headings
		return c.fill(p, bulletList("-", entries)+"\n")
	}
	last := blocks[len(blocks)-1]
	if last.Kind == doc.List {
		items := c.Doc.Items(last.Span)
		final := items[len(items)-1]
		if k == Next && checkbox.MatchString(final.Text) {
			entries = prefixed("[ ] ", entries)
		}
		return c.insert(body.End, bulletList(movedMarker(final.Marker, 1-up), entries)+"\n")
	}
	if tables := c.Doc.Tables(last.Span); k == Decisions && len(tables) > 0 {
		return c.insert(body.End, decisionRows(tables[len(tables)-1].Header, entries))
	}
	return c.insert(body.End, "\n"+bulletList("-", entries)+"\n")
}

// lastContent returns what a section says below its last subheading that is not that
// of an Aside and has text, or all that it says where it has no Asides.
func (c *Checkpoint) lastContent(p Section) doc.Span {
	asides := c.Asides(p.Kind)
	if len(asides) == 0 {
		return c.Doc.Content(p.Extent)
	}
	for _, s := range slices.Backward(c.Doc.Sections()) {
		if _, aside := asideOf(asides, s.Heading); aside || !p.Extent.Contains(s.Heading) {
			continue
		}
		if content := c.Doc.Content(s.Body); content.Len() > 0 {
			return content
		}
	}
	return doc.Span{}
}

func prefixed(prefix string, entries []string) []string {
	all := make([]string, len(entries))
	for i, entry := range entries {
		all[i] = prefix + entry
	}
	return all
}

// appendRows puts rows at the end of a section's last table.
func (c *Checkpoint) appendRows(k Kind, rows [][]string) doc.Edit {
	t := k.Template()
	p, ok := c.Find(k)
	if !ok && len(t.Columns) == 0 {
		return c.appendBullets(k, joined(rows), 0)
	}
	table := newTable(t.Columns, rows)
	if !ok {
		return c.newSection(k, table)
	}
	if tables := c.Doc.Tables(p.Extent); len(tables) > 0 {
		last := tables[len(tables)-1]
		return c.insert(last.Span.End, tableRows(len(last.Header), rows))
	}
	if len(t.Columns) == 0 {
		return c.appendBullets(k, joined(rows), 0)
	}
	content := c.Doc.Content(p.Extent)
	if c.empty(k, content) {
		return c.replaceGuide(p, content, table)
	}
	return c.insert(content.End, "\n"+table)
}

// empty says whether the content of a section is nothing but the guiding comment
// of the template or a word for nothing.
func (c *Checkpoint) empty(k Kind, content doc.Span) bool {
	blocks := c.Doc.Blocks(content)
	if content.Len() == 0 || len(blocks) != 1 || blocks[0].Span != content {
		return content.Len() == 0
	}
	text := strings.TrimSpace(c.Doc.Slice(content))
	if blocks[0].Kind == doc.Comment {
		return text == guide(k)
	}
	return (blocks[0].Kind == doc.Paragraph || blocks[0].Kind == doc.List) && SaysNothing(text)
}

// guide is the comment that stands in an empty section.
func guide(k Kind) string { return guideOpen + k.Template().Guide + " -->" }

const guideOpen = "<!-- "

// IsGuide says whether a line is the comment that ckpt writes into a section that says
// nothing yet.
func IsGuide(line []byte) bool {
	if !bytes.HasPrefix(line, []byte(guideOpen)) {
		return false
	}
	text := string(bytes.TrimSpace(line))
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Template().Guide != "" && text == guide(k) })
}

func (c *Checkpoint) replaceGuide(p Section, content doc.Span, text string) doc.Edit {
	if content.Len() == 0 {
		return c.fill(p, text)
	}
	return doc.Replace(content, c.lines(content, text))
}

// fill puts text into a section that holds nothing.
func (c *Checkpoint) fill(p Section, text string) doc.Edit {
	at := p.Section.Heading.End
	text = "\n" + text
	src := c.Doc.Bytes()
	if at < len(src) && src[at] != '\n' && src[at] != '\r' {
		text += "\n"
	}
	return c.insert(at, text)
}

// insert puts whole lines at an offset that begins a line or ends the file.
func (c *Checkpoint) insert(at int, text string) doc.Edit {
	s := doc.Span{Start: at, End: at}
	return doc.Replace(s, c.lines(s, text))
}

// lines fits text, which ends in a line break, into the place of a span: after a
// last line without a break it begins with one, and a file that ends without one
// still does.
func (c *Checkpoint) lines(s doc.Span, text string) string {
	src := c.Doc.Bytes()
	if s.Start > 0 && src[s.Start-1] != '\n' {
		text = "\n" + text
	}
	if s.End == len(src) && len(src) > 0 && src[len(src)-1] != '\n' {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}
