package checkpoint

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// replaceText replaces the text of a section. An empty text becomes the guide.
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

// gapAfter returns the blank line that is needed between text and what follows it: HTML
// includes all lines up to a blank one, and a paragraph the line below it.
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

// lastContent returns the text below the last subheading of a section that has text and
// is not in one of its Asides; without Asides, all its text.
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

// empty reports whether the content of a section is only its guide or a word for
// nothing.
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

// guide returns the comment in an empty section.
func guide(k Kind) string { return guideOpen + k.Template().Guide + " -->" }

const guideOpen = "<!-- "

// IsGuide reports whether a line is the comment that ckpt writes into an empty section.
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

// insert puts whole lines at an offset that begins a line or ends the file.
func (c *Checkpoint) insert(at int, text string) doc.Edit {
	s := doc.Span{Start: at, End: at}
	return doc.Replace(s, c.lines(s, text))
}

// lines fits text, which ends in a line break, to a span: after a last line without a
// break it begins with one, and a file that ends without one still does.
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
	level, essential := c.levelOf(k)
	at, before, nearest := -1, c.mainEnd(), Kind(-1)
	for _, p := range c.Sections() {
		switch {
		case p.Kind < k && (p.Kind >= nearest || k.Template().Level == 2):
			// A section of level 2 goes behind all that come before it: it would end theirs.
			at = max(c.Doc.Content(p.Extent).End, p.Section.Heading.End)
			nearest = p.Kind
		case p.Kind > k:
			before = min(before, c.separator(p.Section.Heading.Start))
		}
	}
	head := strings.Repeat("#", level) + " " + k.String() + "\n\n" + text
	above := !essential || at >= 0 && nearest < Essential
	if level == 3 && above { // not below the Session Intent
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

// behindDeeper returns the first offset from at on where a new heading of a level does
// not take deeper headings below itself.
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

// Headless returns the first section that the format puts below Essential Information
// where the file has no such heading.
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

// essential adds the heading Essential Information where sections want it above them.
func (c *Checkpoint) essential() (doc.Edit, bool) {
	p, headless := c.Headless()
	if !headless {
		return doc.Edit{}, false
	}
	at := p.Section.Heading.Start
	return doc.ReplaceSections(doc.Span{Start: at, End: at}, "## "+Essential.String()+"\n\n"), true
}

// levelOf returns the level of a new section in this file, and reports whether the
// heading that the format wants above it exists or is not needed.
func (c *Checkpoint) levelOf(k Kind) (level int, essential bool) {
	level = k.Template().Level
	if level == 2 {
		return 2, true
	}
	for _, p := range c.Sections() {
		if p.Kind.Template().Level == 3 && p.Section.Level <= 2 {
			return 2, true // the file keeps its sections on one level
		}
		essential = essential || p.Kind == Essential || p.Kind.Template().Level == 3
	}
	return level, essential
}

// mainEnd returns the end of the file's own sections: before the first delta, remnant,
// mark or Completion, and before the rule in front of it.
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

// separator returns the start of the rule before an offset, or the offset.
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

// gapBefore returns a line break if the line before an offset is not blank: a rule right
// below a paragraph would make a heading of it.
func (c *Checkpoint) gapBefore(at int) string {
	src := bytes.TrimSuffix(c.Doc.Bytes()[:at], []byte("\n"))
	if len(bytes.TrimSpace(src[bytes.LastIndexByte(src, '\n')+1:])) == 0 {
		return ""
	}
	return "\n"
}

// tailEdit puts a section, behind a rule, at the end of the file; a delta before
// the Completion.
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

// bulletList writes entries one per line, further lines indented below the first.
// Blank ones are left out.
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

// movedMarker returns the marker of the entry that is so many behind one with marker:
// "4." is one behind "3.".
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

// joined returns rows as entries of a list, for a section without a table in the format.
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

// tableRows writes rows that fit a table of so many columns: what is too much
// goes to the last one, since Markdown drops a cell that has no column.
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

// FurtherFields is the title of the section for those parts of an imported JSON that fit
// no other section. Files of older versions have one for each import; the last one
// counts.
const FurtherFields = "Further Fields"

// AddSection puts a section that the format does not know, heading included and with
// a last line break, behind those that it does: before the first delta and the
// Completion.
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
