package revise

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// replaceText replaces the text of a section. If the new text is empty, the guiding comment is written.
func replaceText(c *checkpoint.Checkpoint, k checkpoint.Kind, text string) doc.Edit {
	text = cmp.Or(text, k.Template().Guide)
	p, ok := c.Find(k)
	if !ok {
		return newSection(c, k, text+"\n")
	}
	return replaceContent(c, p, c.Doc.Content(p.Extent), text+"\n")
}

// gapAfter returns "\n" if text that is inserted at an offset needs a blank line after it, and otherwise "".
// HTML extends to the next blank line, and a paragraph would continue on the line below.
func gapAfter(c *checkpoint.Checkpoint, at int, text string) string {
	next, _, _ := bytes.Cut(c.Doc.Bytes()[at:], []byte("\n"))
	if len(bytes.TrimSpace(next)) == 0 || next[0] == '#' && !strings.Contains(text, "<") {
		return ""
	}
	return "\n"
}

const anyText = "<" // as the text, makes gapAfter return a blank line above a heading, too

// appendBullets adds entries after the last list of a section, or adds decisions to their table. Up is the number of
// entries that other edits remove from a numbered list.
func appendBullets(c *checkpoint.Checkpoint, k checkpoint.Kind, entries []string, up int) doc.Edit {
	p, ok := c.Find(k)
	highest := 0
	for _, a := range c.Actions() {
		highest = max(highest, a.Number)
	}
	list := bulletList(movedMarker(marker(k), highest-up), entries) + "\n"
	if !ok {
		return newSection(c, k, list)
	}
	body := c.Doc.Content(p.Section.Body)
	if body.Len() == 0 {
		body = lastContent(c, p)
	}
	if isEmpty(c, k, body) {
		return replaceContent(c, p, body, list)
	}
	blocks := c.Doc.Blocks(body)
	if len(blocks) == 0 { // only headings
		return fillSection(c, p, list)
	}
	last := blocks[len(blocks)-1]
	if last.Kind == doc.List {
		items := c.Doc.Items(last.Span)
		final := items[len(items)-1]
		if _, box := checkpoint.CutCheckbox(final.Text); k == checkpoint.Next && box {
			entries = slices.Clone(entries)
			for i, entry := range entries {
				if _, box := checkpoint.CutCheckbox(entry); !box {
					entries[i] = "[ ] " + entry
				}
			}
		}
		return insertLines(c, body.End, bulletList(movedMarker(final.Marker, 1-up), entries)+"\n")
	}
	if tables := c.Doc.Tables(last.Span); k == checkpoint.Decisions && len(tables) > 0 {
		return insertLines(c, body.End, decisionRows(tables[len(tables)-1], entries))
	}
	return insertLines(c, body.End, "\n"+list)
}

// lastContent returns the span of the text below the last subheading of a section. It skips Asides and
// subheadings without text. In a section without Asides it returns the span of the whole text.
func lastContent(c *checkpoint.Checkpoint, p checkpoint.Section) doc.Span {
	asides := c.Asides(p.Kind)
	if len(asides) == 0 {
		return c.Doc.Content(p.Extent)
	}
	for _, s := range slices.Backward(c.Doc.Sections()) {
		if _, aside := checkpoint.AsideOf(asides, s.Heading); aside || !p.Extent.Contains(s.Heading) {
			continue
		}
		if content := c.Doc.Content(s.Body); content.Len() > 0 {
			return content
		}
	}
	return doc.Span{}
}

// appendRows adds rows at the end of a section's last table.
func appendRows(c *checkpoint.Checkpoint, k checkpoint.Kind, rows [][]string) doc.Edit {
	p, ok := c.Find(k)
	if tables := c.Doc.Tables(p.Extent); len(tables) > 0 {
		last := tables[len(tables)-1]
		return insertLines(c, last.Span.End, tableRows(len(last.Header), rows))
	}
	content, table := c.Doc.Content(p.Extent), newTable(k.Template().Columns, rows)
	switch {
	case !ok:
		return newSection(c, k, table)
	case isEmpty(c, k, content):
		return replaceContent(c, p, content, table)
	}
	return insertLines(c, content.End, "\n"+table)
}

// isEmpty reports whether a section has no text other than its guiding comment or a word such as "None".
func isEmpty(c *checkpoint.Checkpoint, k checkpoint.Kind, content doc.Span) bool {
	blocks := c.Doc.Blocks(content)
	if content.Len() == 0 || len(blocks) != 1 || blocks[0].Span != content {
		return content.Len() == 0
	}
	text := strings.TrimSpace(c.Doc.Slice(content))
	if blocks[0].Kind == doc.Comment {
		return text == k.Template().Guide
	}
	return (blocks[0].Kind == doc.Paragraph || blocks[0].Kind == doc.List) && checkpoint.IsBareNone(text)
}

func replaceContent(c *checkpoint.Checkpoint, p checkpoint.Section, content doc.Span, text string) doc.Edit {
	if content.Len() == 0 {
		return fillSection(c, p, text)
	}
	return doc.Replace(content, c.Doc.FitLines(content, text+gapAfter(c, content.End, text)))
}

// fillSection adds text to an empty section.
func fillSection(c *checkpoint.Checkpoint, p checkpoint.Section, text string) doc.Edit {
	at := doc.Span{Start: p.Section.Heading.End, End: p.Section.Heading.End}
	return doc.Replace(at, c.Doc.FitLines(at, "\n"+text+gapAfter(c, at.Start, anyText)))
}

// insertLines returns the edit that inserts whole lines at an offset, which is the start of a line
// or the end of the file.
func insertLines(c *checkpoint.Checkpoint, at int, text string) doc.Edit {
	s := doc.Span{Start: at, End: at}
	return doc.Replace(s, c.Doc.FitLines(s, text+gapAfter(c, at, text)))
}

// newSection adds a section that the file lacks. It comes after the nearest section that precedes it in the
// format, or else before the nearest one that follows it in the format, or else before the first delta.
func newSection(c *checkpoint.Checkpoint, k checkpoint.Kind, text string) doc.Edit {
	level, essential := levelOf(c, k)
	at, before, nearest := -1, mainEnd(c), checkpoint.Kind(-1)
	for _, p := range c.Sections() {
		switch {
		case level == 3 && p.Misplaced():
		case p.Kind < k && (p.Kind >= nearest || k.Template().Level == 2):
			// A section of level 2 comes after all that precede it in the format: between subsections it would end their parent.
			at = max(c.Doc.Content(p.Extent).End, p.Section.Heading.End)
			nearest = p.Kind
		case p.Kind > k:
			before = min(before, c.Doc.RuleBefore(p.Section.Heading.Start))
		}
	}
	head := strings.TrimRight(strings.Repeat("#", level)+" "+k.String()+"\n\n"+text, "\n") + "\n"
	above := !essential || at >= 0 && nearest < checkpoint.Essential
	if level == 3 && above { // without this heading the new section would be part of the Session Intent
		head = "## " + checkpoint.Essential.String() + "\n\n" + head
	}
	if at >= 0 {
		at = behindDeeper(c, at, level)
		return insertSections(c, at, "\n"+head+gapAfter(c, at, head))
	}
	return insertSections(c, before, gapBefore(c, before)+head+gapAfter(c, before, anyText))
}

// behindDeeper returns at, moved behind the headings that follow it and are deeper than level. A new heading
// of that level before them would make them its subsections.
func behindDeeper(c *checkpoint.Checkpoint, at, level int) int {
	end := len(c.Doc.Bytes())
	for _, s := range c.Doc.Sections() {
		if s.Heading.Start >= at && s.Level <= level {
			end = s.Heading.Start
			break
		}
	}
	return max(at, c.Doc.Content(doc.Span{Start: at, End: end}).End)
}

// levelOf returns the level for a new section in this file. Essential reports whether the heading
// Essential Information exists, or is not needed above the section.
func levelOf(c *checkpoint.Checkpoint, k checkpoint.Kind) (level int, essential bool) {
	level = k.Template().Level
	if level == 2 {
		return 2, true
	}
	_, essential = c.Find(checkpoint.Essential)
	for _, p := range c.Sections() {
		if p.Misplaced() && !essential {
			return 2, true // all sections of the file have one level
		}
		essential = essential || p.Kind.Template().Level == 3
	}
	return level, essential
}

// mainEnd returns the end of the main part of a file: the start of the first delta, remnant, mark or
// Completion, or of the rule above it.
func mainEnd(c *checkpoint.Checkpoint) int {
	for _, s := range c.Doc.Sections() {
		kind, known := checkpoint.KindNamed(s.Title)
		isCompletion := known && kind == checkpoint.Completion
		if isCompletion || checkpoint.IsAppended(s) {
			return c.Doc.RuleBefore(s.Heading.Start)
		}
	}
	return len(c.Doc.Bytes())
}

// gapBefore returns a line break if the line before an offset is not blank: a rule directly below a
// paragraph would make the paragraph a heading.
func gapBefore(c *checkpoint.Checkpoint, at int) string {
	src := bytes.TrimSuffix(c.Doc.Bytes()[:at], []byte("\n"))
	if len(bytes.TrimSpace(src[bytes.LastIndexByte(src, '\n')+1:])) == 0 {
		return ""
	}
	return "\n"
}

// tailEdit adds a rule and a section at the end of the file. A delta comes before the Completion.
func tailEdit(c *checkpoint.Checkpoint, section string) doc.Edit {
	at, gap := len(c.Doc.Bytes()), "\n"
	if !strings.HasPrefix(section, "## "+checkpoint.Completion.String()) {
		if p, ok := c.Find(checkpoint.Completion); ok {
			at, section = c.Doc.RuleBefore(p.Section.Heading.Start), section+"\n"
		}
		gap = gapBefore(c, at)
	}
	return insertSections(c, at, gap+"---\n\n"+section)
}

// insertSections adds lines with headings at an offset.
func insertSections(c *checkpoint.Checkpoint, at int, text string) doc.Edit {
	s := doc.Span{Start: at, End: at}
	return doc.ReplaceSections(s, c.Doc.FitLines(s, text))
}

// AddSection adds a section that the format does not define. It comes after the other sections,
// before the first delta and the Completion. The text has the heading and ends with a line break.
func (r *Revision) AddSection(text string) *Revision {
	at := mainEnd(r.c)
	return r.Splice(insertSections(r.c, at, gapBefore(r.c, at)+text+gapAfter(r.c, at, anyText)))
}
