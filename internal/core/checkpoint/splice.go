package checkpoint

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// pick is the one open action that contains text, or that `#n` numbers.
func pick(id string, open []Action, text string) (Action, error) {
	hint := fmt.Sprintf("ckpt show %s --section next-actions", id)
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "#")); err == nil && strings.HasPrefix(text, "#") {
		if n < 1 || n > len(open) {
			return Action{}, fault.New(fault.NotFound, "%s has no next action %s: there are %d", id, text, len(open)).WithHint("%s", hint)
		}
		return open[n-1], nil
	}
	var found []Action
	var numbers []string
	for i, a := range open {
		if a.Text == text {
			return a, nil
		}
		if containsFold(a.Text, text) {
			found = append(found, a)
			numbers = append(numbers, fmt.Sprintf("#%d %s", i+1, firstLine(a.Text)))
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Action{}, fault.New(fault.NotFound, "%s has no next action that contains %q", id, text).WithHint("%s", hint)
	}
	return Action{}, fault.New(fault.Usage, "%q fits %d next actions of %s: %s", text, len(found), id, strings.Join(numbers, "; ")).
		WithHint("ckpt done '%s'", strings.Fields(numbers[0])[0])
}

// replaceText puts text in place of what a section says.
func (c *Checkpoint) replaceText(k Kind, text string) []doc.Edit {
	p, ok := c.Find(k)
	if !ok {
		return []doc.Edit{c.newSection(k, text+"\n")}
	}
	content := c.Doc.Content(p.Extent)
	if content.Len() == 0 {
		return []doc.Edit{c.fill(p, text+"\n")}
	}
	return []doc.Edit{doc.Replace(content, c.lines(content, text+"\n"))}
}

// appendBullets puts entries behind the last list of a section.
func (c *Checkpoint) appendBullets(k Kind, entries []string) doc.Edit {
	p, ok := c.Find(k)
	if !ok {
		return c.newSection(k, bulletList("-", entries)+"\n")
	}
	body := c.Doc.Content(p.Section.Body)
	if body.Len() == 0 {
		body = c.Doc.Content(p.Extent)
	}
	blocks := c.Doc.Blocks(body)
	if c.empty(k, blocks) {
		return c.replaceGuide(p, body, bulletList("-", entries)+"\n")
	}
	if last := blocks[len(blocks)-1]; last.Kind == doc.List {
		items := c.Doc.Items(last.Span)
		return c.insert(body.End, bulletList(nextMarker(items[len(items)-1].Marker), entries)+"\n")
	}
	return c.insert(body.End, "\n"+bulletList("-", entries)+"\n")
}

// appendRows puts rows at the end of a section's last table.
func (c *Checkpoint) appendRows(k Kind, rows [][]string) doc.Edit {
	t := k.Template()
	write := func(columns int) string {
		var b strings.Builder
		for _, cells := range rows {
			for len(cells) < columns {
				cells = append(cells, "")
			}
			b.WriteString(doc.TableRow(cells...))
		}
		return b.String()
	}
	var rule strings.Builder
	for _, column := range t.Columns {
		rule.WriteString("|" + strings.Repeat("-", len(column)+2))
	}
	table := doc.TableRow(t.Columns...) + rule.String() + "|\n" + write(len(t.Columns))
	p, ok := c.Find(k)
	if !ok {
		return c.newSection(k, table)
	}
	if tables := c.Doc.Tables(p.Extent); len(tables) > 0 {
		last := tables[len(tables)-1]
		return c.insert(last.Span.End, write(len(last.Header)))
	}
	content := c.Doc.Content(p.Extent)
	if c.empty(k, c.Doc.Blocks(content)) {
		return c.replaceGuide(p, content, table)
	}
	return c.insert(content.End, "\n"+table)
}

// empty says whether blocks are nothing but the guiding comment of the template
// or a word for nothing.
func (c *Checkpoint) empty(k Kind, blocks []doc.Block) bool {
	if len(blocks) != 1 {
		return len(blocks) == 0
	}
	text := strings.TrimSpace(c.Doc.Slice(blocks[0].Span))
	return blocks[0].Kind == doc.Comment && text == guide(k) || blocks[0].Kind == doc.Paragraph && IsNone(text)
}

// guide is the comment that stands in an empty section.
func guide(k Kind) string { return "<!-- " + k.Template().Guide + " -->" }

func (c *Checkpoint) replaceGuide(p Place, content doc.Span, text string) doc.Edit {
	if content.Len() == 0 {
		return c.fill(p, text)
	}
	return doc.Replace(content, c.lines(content, text))
}

// fill puts text into a section that holds nothing.
func (c *Checkpoint) fill(p Place, text string) doc.Edit {
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

// newSection puts a section that the file lacks into the place that the format
// has for it: behind the nearest section before it, else before the nearest
// behind it, else before the first delta.
func (c *Checkpoint) newSection(k Kind, text string) doc.Edit {
	places := c.Places()
	level := k.Template().Level
	at, before, essential := -1, c.mainEnd(), k.Template().Level == 2
	for _, p := range places {
		if p.Kind.Template().Level == 3 && p.Section.Level == 2 {
			level = 2 // the file has no Essential Information
		}
		essential = essential || p.Kind == Essential
	}
	for _, p := range places {
		if p.Kind < k {
			if content := c.Doc.Content(p.Extent); content.Len() > 0 {
				at = max(at, content.End)
			} else {
				at = max(at, p.Section.Heading.End)
			}
		} else if p.Kind > k {
			before = min(before, p.Section.Heading.Start)
		}
	}
	head := strings.Repeat("#", level) + " " + k.String() + "\n\n" + text
	if !essential && level == 3 {
		head = "## " + Essential.String() + "\n\n" + head
	}
	if at >= 0 {
		s := doc.Span{Start: at, End: at}
		return doc.ReplaceSections(s, c.lines(s, "\n"+head))
	}
	s := doc.Span{Start: before, End: before}
	return doc.ReplaceSections(s, c.lines(s, head+"\n"))
}

// mainEnd is where the file's own sections end: before the first delta or the
// Completion, their separating rule included.
func (c *Checkpoint) mainEnd() int {
	for _, s := range c.Doc.Sections() {
		kind, known := kindOf(s.Title)
		if _, ok := deltaTime(s); ok || known && kind == Completion {
			return c.separator(s.Heading.Start)
		}
	}
	return len(c.Doc.Bytes())
}

// separator is where the rule before an offset begins, else the offset.
func (c *Checkpoint) separator(at int) int {
	blocks := c.Doc.Blocks(doc.Span{Start: c.Doc.Front.Span.End, End: at})
	if n := len(blocks); n > 0 && blocks[n-1].Kind == doc.Rule && strings.TrimSpace(c.Doc.Slice(doc.Span{Start: blocks[n-1].Span.End, End: at})) == "" {
		return blocks[n-1].Span.Start
	}
	return at
}

// bulletList writes entries one per line, further lines indented below the first.
func bulletList(marker string, entries []string) string {
	var b strings.Builder
	for i, entry := range entries {
		if i > 0 {
			b.WriteByte('\n')
			marker = nextMarker(marker)
		}
		indent := "\n" + strings.Repeat(" ", len(marker)+1)
		text := strings.ReplaceAll(doc.Literal(entry), "\n", indent)
		b.WriteString(marker + " " + strings.ReplaceAll(text, indent+"\n", "\n\n"))
	}
	return b.String()
}

// nextMarker is the marker of the entry behind one with marker: "4." behind "3.".
func nextMarker(marker string) string {
	digits := strings.TrimRight(marker, ".)")
	if n, err := strconv.Atoi(digits); err == nil && digits != marker {
		return strconv.Itoa(n+1) + marker[len(digits):]
	}
	return marker
}
