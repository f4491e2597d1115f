package brief

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
)

// unread is the clause in the line about what is left out that tells the reader to skip the file.
const unread = "the file need not be read"

// completeness returns the line about what is left out of a brief that shows all its parts.
func (b *Brief) completeness() string {
	lines, outdated := b.omits()
	switch {
	case b.Moment.Replaces != "":
		return "Left out: what else the file has, which cannot be read (ckpt show " + b.Moment.Replaces + " --raw)"
	case lines > 0:
		return "Left out: " + text.Count(lines, "line") + " of the file (" + b.showsFile() + ")"
	case b.missing:
		return "Left out: learnings, which cannot be read (ckpt learnings); " + unread + "."
	case b.Moment.ReadOnly:
		return "Complete: nothing of this version was left out."
	case outdated:
		return "Complete: nothing was left out, " + unread + "; other entries there are outdated."
	}
	return "Complete: nothing was left out, " + unread + "."
}

// omits compares the file with all parts of the brief, line by line and cell by cell, ignoring markup, list markers and
// line breaks. It returns the number of lines that the brief lacks, and reports whether it also lacks outdated entries,
// which later ones have replaced and which do not count. Text that a merge or another tool left in the file counts.
func (b *Brief) omits() (lines int, outdated bool) {
	var whole strings.Builder
	whole.WriteString(b.about())
	for _, p := range b.Parts {
		if p.Name != learned { // learnings come from another file
			whole.WriteString("\n" + p.Title + "\n" + p.Text)
		}
	}
	brief, replaced := bare(whole.String()), b.replaced()
	saved := schema.Saved(b.of) // saved JSON does not count: the brief has those of its values that only it has
	for _, u := range units(b.of) {
		text := bare(u.text)
		switch {
		case text == "" || checkpoint.IsBareNone(u.text) || contains(brief, text) || within(saved, u.at):
		case within(replaced, u.at):
			outdated = true
		default:
			lines++
		}
	}
	return lines, outdated
}

// replaced returns the entries of the file that later ones have replaced.
func (b *Brief) replaced() []doc.Span {
	var all []doc.Span
	c := b.of
	for _, d := range c.Decisions() {
		if d.Struck {
			all = append(all, d.Span)
		}
	}
	for _, a := range c.Actions() {
		if a.Done {
			all = append(all, a.Span)
		}
	}
	for _, e := range fold.Mentions(c) {
		all = append(all, e.Span)
	}
	for _, d := range c.Deltas() {
		for _, part := range d.Parts {
			if strings.EqualFold(part.Title, "Status Transitions") {
				for _, t := range c.Doc.Tables(part.Body) {
					all = append(all, t.Span)
				}
			}
		}
	}
	return all
}

// within reports whether one of the spans contains an offset.
func within(all []doc.Span, at int) bool {
	return slices.ContainsFunc(all, func(s doc.Span) bool { return s.Start <= at && at < s.End })
}

// contains reports whether the first text contains the second one, as whole words.
func contains(all, text string) bool {
	for from := 0; ; {
		at := strings.Index(all[from:], text)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(all[:at])
		after, _ := utf8.DecodeRuneInString(all[at+len(text):])
		first, _ := utf8.DecodeRuneInString(text)
		last, _ := utf8.DecodeLastRuneInString(text)
		continues := isWord(before) && isWord(first)
		goesOn := isWord(last) && isWord(after)
		if !continues && !goesOn {
			return true
		}
		from = at + 1
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// unit is a line of a file, or a cell of a table.
type unit struct {
	at   int
	text string
}

// units returns the text of a file in lines and cells, without frontmatter, headings of the format and comments.
func units(c *checkpoint.Checkpoint) []unit {
	var all []unit
	var bullets []doc.Span
	for _, e := range fold.Mentions(c) {
		if e.Cells == nil { // an entry of a list, which the brief shows as a row of a table
			bullets = append(bullets, e.Span)
			for _, text := range []string{e.File, e.Action, e.Change} {
				all = append(all, unit{e.Span.Start, text})
			}
		}
	}
	add := func(s doc.Span) {
		for _, block := range c.Doc.Blocks(s) {
			tables := c.Doc.Tables(block.Span)
			switch {
			case block.Kind == doc.Comment || block.Kind == doc.Rule:
			case len(tables) == 1 && tables[0].Span.Start == block.Span.Start:
				for _, row := range tables[0].Rows {
					for i, cell := range row.Cells {
						all = append(all, unit{row.CellSpans[i].Start, cell})
					}
				}
			default:
				at := block.Span.Start
				for line := range strings.Lines(c.Doc.Slice(block.Span)) {
					start := at + len(line) - len(strings.TrimLeft(line, " \t"))
					if !within(bullets, start) {
						all = append(all, unit{start, checkpoint.EntryText(strings.TrimLeft(line, " \t>"))})
					}
					at += len(line)
				}
			}
		}
	}
	add(c.Doc.Preamble())
	for _, s := range c.Doc.Sections() {
		add(s.Body)
	}
	return all
}

// bare returns a text without markup, on one line.
func bare(s string) string {
	return text.OneLine(strings.NewReplacer("*", "", "`", "", "~~", "", "\\", "").Replace(s))
}
