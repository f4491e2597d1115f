package checkpoint

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// replaceText replaces the text of a section. If the new text is empty, the guiding comment is
// written.
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

// gapAfter returns the blank line that is needed between text and what follows it, if any. HTML
// extends to the next blank line, and a paragraph would continue on the line below.
func (c *Checkpoint) gapAfter(at int, text string) string {
	next, _, _ := bytes.Cut(c.Doc.Bytes()[at:], []byte("\n"))
	if len(bytes.TrimSpace(next)) == 0 || next[0] == '#' && !strings.Contains(text, "<") {
		return ""
	}
	return "\n"
}

// appendBullets adds entries after the last list of a section, or adds decisions to their table. Up
// is by how much the number of the list's last entry is reduced.
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
	if len(blocks) == 0 { // only headings
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

// lastContent returns the span below the last subheading of a section that has text and is not one
// of its Asides. In a section without Asides it returns the whole text.
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

// appendRows adds rows at the end of a section's last table.
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

// empty reports whether a section contains only its guiding comment or a word for nothing.
func (c *Checkpoint) empty(k Kind, content doc.Span) bool {
	blocks := c.Doc.Blocks(content)
	if content.Len() == 0 || len(blocks) != 1 || blocks[0].Span != content {
		return content.Len() == 0
	}
	text := strings.TrimSpace(c.Doc.Slice(content))
	if blocks[0].Kind == doc.Comment {
		return text == guide(k)
	}
	return (blocks[0].Kind == doc.Paragraph || blocks[0].Kind == doc.List) && IsBareNone(text)
}

// guide returns the guiding comment of an empty section.
func guide(k Kind) string { return guideOpen + k.Template().Guide + " -->" }

const guideOpen = "<!-- "

// IsGuide reports whether a line is a guiding comment that ckpt writes into an empty section.
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

// fill adds text to an empty section.
func (c *Checkpoint) fill(p Section, text string) doc.Edit {
	at := p.Section.Heading.End
	text = "\n" + text
	src := c.Doc.Bytes()
	if at < len(src) && src[at] != '\n' && src[at] != '\r' {
		text += "\n"
	}
	return c.insert(at, text)
}

// insert returns the edit that inserts whole lines at an offset, which is the start of a line or
// the end of the file.
func (c *Checkpoint) insert(at int, text string) doc.Edit {
	s := doc.Span{Start: at, End: at}
	return doc.Replace(s, c.lines(s, text))
}

// lines fits text, which ends with a line break, to a span. If the line before the span has no line
// break, the text begins with one. If the file does not end with a line break, it still does not.
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

// newSection returns the place that the format has for a section that the file lacks: after the
// nearest section before it, else before the nearest section after it, else before the first delta.
func (c *Checkpoint) newSection(k Kind, text string) doc.Edit {
	level, essential := c.levelOf(k)
	at, before, nearest := -1, c.mainEnd(), Kind(-1)
	for _, p := range c.Sections() {
		switch {
		case p.Kind < k && (p.Kind >= nearest || k.Template().Level == 2):
			// A section of level 2 comes after all sections that the format has before it: among
			// them it would end their parent.
			at = max(c.Doc.Content(p.Extent).End, p.Section.Heading.End)
			nearest = p.Kind
		case p.Kind > k:
			before = min(before, c.separator(p.Section.Heading.Start))
		}
	}
	head := strings.Repeat("#", level) + " " + k.String() + "\n\n" + text
	above := !essential || at >= 0 && nearest < Essential
	if level == 3 && above { // a subsection must not come below the Session Intent
		head = "## " + Essential.String() + "\n\n" + head
	}
	if at >= 0 {
		at = c.behindDeeper(at, level)
		return c.insertSections(at, "\n"+head+c.gapAfter(at, head))
	}
	if before < len(c.Doc.Bytes()) {
		head += "\n"
	}
	return c.insertSections(before, c.gapBefore(before)+head)
}

// behindDeeper returns the first offset from at on where a new heading of the level has no deeper
// headings right after it that would become its subsections.
func (c *Checkpoint) behindDeeper(at, level int) int {
	end := len(c.Doc.Bytes())
	for _, s := range c.Doc.Sections() {
		if s.Heading.Start >= at && s.Level <= level {
			end = s.Heading.Start
			break
		}
	}
	return max(at, c.Doc.Content(doc.Span{Start: at, End: end}).End)
}

// Headless returns the first section that the format puts below Essential Information although the
// file lacks that heading.
func (c *Checkpoint) Headless() (Section, bool) {
	var first Section
	for _, p := range c.Sections() {
		switch {
		case p.Kind == Essential:
			return Section{}, false
		case p.Kind.Template().Level == 3 && p.Section.Level == 3 && first.Section.Heading.Len() == 0:
			first = p
		}
	}
	return first, first.Section.Heading.Len() > 0
}

// essential adds the heading Essential Information if sections need it above them.
func (c *Checkpoint) essential() (doc.Edit, bool) {
	p, headless := c.Headless()
	if !headless {
		return doc.Edit{}, false
	}
	at := p.Section.Heading.Start
	return doc.ReplaceSections(doc.Span{Start: at, End: at}, "## "+Essential.String()+"\n\n"), true
}

// levelOf returns the level for a new section in this file. It reports whether the heading that the
// format requires above it exists or is not needed.
func (c *Checkpoint) levelOf(k Kind) (level int, essential bool) {
	level = k.Template().Level
	if level == 2 {
		return 2, true
	}
	for _, p := range c.Sections() {
		if p.Kind.Template().Level == 3 && p.Section.Level <= 2 {
			return 2, true // all sections of the file have one level
		}
		essential = essential || p.Kind == Essential || p.Kind.Template().Level == 3
	}
	return level, essential
}

// mainEnd returns the end of the file's own sections. They end before the first delta, remnant,
// mark or Completion, and before the rule above that.
func (c *Checkpoint) mainEnd() int {
	for _, s := range c.Doc.Sections() {
		kind, known := kindOf(s.Title)
		_, isDelta := deltaTime(s)
		isSection := known && kind == Completion || isDelta
		if isSection || IsRemnant(s) || IsMark(s) {
			return c.separator(s.Heading.Start)
		}
	}
	return len(c.Doc.Bytes())
}

// separator returns the start of the rule before an offset. Without a rule it returns the offset.
func (c *Checkpoint) separator(at int) int {
	blocks := c.Doc.Blocks(doc.Span{Start: c.Doc.Front.Span.End, End: at})
	if len(blocks) == 0 {
		return at
	}
	last := blocks[len(blocks)-1]
	between := c.Doc.Slice(doc.Span{Start: last.Span.End, End: at})
	if last.Kind == doc.Rule && strings.TrimSpace(between) == "" {
		return last.Span.Start
	}
	return at
}

// gapBefore returns a line break if the line before an offset is not blank: a rule directly below a
// paragraph would make it a heading.
func (c *Checkpoint) gapBefore(at int) string {
	src := bytes.TrimSuffix(c.Doc.Bytes()[:at], []byte("\n"))
	if len(bytes.TrimSpace(src[bytes.LastIndexByte(src, '\n')+1:])) == 0 {
		return ""
	}
	return "\n"
}

// tailEdit adds a rule and a section at the end of the file. A delta comes before the Completion.
func (c *Checkpoint) tailEdit(section string) doc.Edit {
	at := len(c.Doc.Bytes())
	text := "\n---\n\n" + section
	if p, ok := c.Find(Completion); ok && !strings.HasPrefix(section, "## "+Completion.String()) {
		at = c.separator(p.Section.Heading.Start)
		text = c.gapBefore(at) + "---\n\n" + section + "\n"
	} else if !strings.HasPrefix(section, "## "+Completion.String()) && c.gapBefore(at) == "" {
		text = text[1:]
	}
	return c.insertSections(at, text)
}

// insertSections adds lines with headings at an offset.
func (c *Checkpoint) insertSections(at int, text string) doc.Edit {
	s := doc.Span{Start: at, End: at}
	return doc.ReplaceSections(s, c.lines(s, text))
}

// bulletList writes each entry as a bullet, with further lines indented below the first. It skips
// blank entries.
func bulletList(marker string, entries []string) string {
	var b strings.Builder
	for _, entry := range entries {
		text := doc.Literal(strings.TrimLeft(entry, " \t\r\n"))
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			marker = movedMarker(marker, 1)
		}
		indent := "\n" + strings.Repeat(" ", len(marker)+1)
		text = strings.ReplaceAll(text, "\n", indent)
		b.WriteString(marker + " " + strings.ReplaceAll(text, indent+"\n", "\n\n"))
	}
	return b.String()
}

// movedMarker returns the marker with its number increased: "3." by 1 becomes "4.".
func movedMarker(marker string, by int) string {
	digits := strings.TrimRight(marker, ".)")
	if n, err := strconv.Atoi(digits); err == nil && digits != marker {
		return strconv.Itoa(max(0, n+by)) + marker[len(digits):]
	}
	return marker
}

// decisionRows returns decisions as rows of a table with a header.
func decisionRows(header []string, entries []string) string {
	what, why := decisionColumns(header)
	var b strings.Builder
	for _, entry := range entries {
		d := decision(entry)
		cells := make([]string, len(header))
		if why < len(cells) {
			cells[what], cells[why] = "**"+d.What+"**", d.Why
		} else {
			cells[what] = entry
		}
		b.WriteString(doc.TableRow(cells...))
	}
	return b.String()
}

// joined returns each row as one entry of a list, for a section that has no table in the format.
func joined(rows [][]string) []string {
	entries := make([]string, len(rows))
	for i, cells := range rows {
		entries[i] = strings.Join(cells, " — ")
	}
	return entries
}

func newTable(columns []string, rows [][]string) string {
	if len(columns) == 0 {
		return ""
	}
	var rule strings.Builder
	for _, column := range columns {
		rule.WriteString("|" + strings.Repeat("-", len(column)+2))
	}
	return doc.TableRow(columns...) + rule.String() + "|\n" + tableRows(len(columns), rows)
}

// tableRows writes rows for a table with the given number of columns. Surplus cells are joined into
// the last column, since Markdown drops a cell without a column.
func tableRows(columns int, rows [][]string) string {
	var b strings.Builder
	for _, cells := range rows {
		row := make([]string, columns)
		copy(row, cells)
		if len(cells) > columns {
			row[columns-1] = strings.Join(cells[columns-1:], " — ")
		}
		b.WriteString(doc.TableRow(row...))
	}
	return b.String()
}

// FurtherFields is the title of the section for the parts of an imported JSON that fit no other
// section. Files of older versions have one section per import; the last one counts.
const FurtherFields = "Further Fields"

// AddSection adds a section that the format does not define after those that it does: before the
// first delta and the Completion. The text has the heading and ends with a line break.
func (r *Revision) AddSection(text string) *Revision {
	at := r.c.mainEnd()
	if at < len(r.c.Doc.Bytes()) {
		text += "\n"
	}
	gap := r.c.gapBefore(at)
	if at == len(r.c.Doc.Bytes()) {
		gap = "\n"
	}
	return r.Splice(r.c.insertSections(at, gap+text))
}
