package brief

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
)

// unread ends the line of a complete brief, whose reader can skip the file.
const unread = "the file need not be read"

// omission describes the lines of the file that are not in the brief, not even if the brief has all
// its parts.
type omission struct {
	outdated []string // the numbers of outdated entries: "2 superseded decisions"
	lines    int      // the number of other lines that are left out
}

// line returns the line about what is left out of a brief that shows all its parts.
func (o omission) line(show string) string {
	switch {
	case o.lines > 0:
		return "Left out: " + text.Count(o.lines, "line") + " of the file (" + show + ")"
	case len(o.outdated) > 0:
		outdated := strings.Join(o.outdated, ", ")
		return "Complete: nothing was left out, " + unread + "; other entries there are outdated: " + outdated + "."
	}
	return "Complete: nothing was left out, " + unread + "."
}

// omits compares the brief with the file, line by line and cell by cell, ignoring markup, list
// markers and line breaks. It also finds text that a merge, a person or another tool wrote at a
// place that no part shows.
func (b *Brief) omits() omission {
	var whole strings.Builder
	whole.WriteString(b.about())
	for _, p := range b.Parts {
		if p.Name != learned { // learnings come from another file
			whole.WriteString("\n" + p.Title + "\n" + p.Text)
		}
	}
	brief := bare(whole.String())
	outdated, saved := b.outdated(), b.saved()
	counts, met := map[string]int{}, map[doc.Span]bool{}
	var o omission
	for _, u := range units(b.of) {
		if text := bare(u.text); text == "" || checkpoint.IsBareNone(u.text) || contains(brief, text) {
			continue
		}
		if _, ok := find(saved, u.at); ok {
			continue
		}
		if old, ok := find(outdated, u.at); !ok {
			o.lines++
		} else if !met[old.span] {
			met[old.span] = true
			counts[old.what]++
		}
	}
	for _, what := range []string{superseded, finished, earlierRow, formerStatus} {
		if n := counts[what]; n > 0 {
			o.outdated = append(o.outdated, text.Count(n, what))
		}
	}
	return o
}

// The kinds of outdated entries in a file.
const (
	superseded   = "superseded decision"
	finished     = "finished action"
	earlierRow   = "earlier artifact row"
	formerStatus = "earlier state"
)

// former is an entry of the file that a later one has replaced.
type former struct {
	span doc.Span
	what string
}

// outdated returns the entries that later ones have replaced.
func (b *Brief) outdated() []former {
	var all []former
	c := b.of
	for _, d := range c.Decisions() {
		if d.Struck {
			all = append(all, former{d.Span, superseded})
		}
	}
	for _, a := range c.Actions() {
		if a.Done {
			all = append(all, former{a.Span, finished})
		}
	}
	for _, e := range trailEntries(c) {
		all = append(all, former{e.Span, earlierRow})
	}
	for _, d := range c.Deltas() {
		for _, part := range d.Parts {
			if strings.EqualFold(part.Title, "Status Transitions") {
				for _, t := range c.Doc.Tables(part.Body) {
					for _, row := range t.Rows {
						all = append(all, former{row.Span, formerStatus})
					}
				}
			}
		}
	}
	return all
}

// saved returns the JSON of imports. What no other section has of it is a part of the brief.
func (b *Brief) saved() []former {
	var all []former
	if _, ok := schema.Further(b.of); !ok {
		return nil
	}
	for _, s := range b.of.Doc.Sections() {
		if s.Title == checkpoint.FurtherFields {
			all = append(all, former{span: s.Body})
		}
	}
	return all
}

// trailEntries returns the entries of the Artifact Trail and of the deltas' artifacts.
func trailEntries(c *checkpoint.Checkpoint) []checkpoint.TrailEntry {
	var all []checkpoint.TrailEntry
	if p, ok := c.Find(checkpoint.Artifacts); ok {
		all = checkpoint.TrailEntries(c.Doc, p.Extent)
	}
	for _, d := range c.Deltas() {
		for _, part := range d.Parts {
			if strings.EqualFold(part.Title, "Artifacts") {
				all = append(all, checkpoint.TrailEntries(c.Doc, part.Body)...)
			}
		}
	}
	return all
}

func find(all []former, at int) (former, bool) {
	for _, f := range all {
		if f.span.Start <= at && at < f.span.End {
			return f, true
		}
	}
	return former{}, false
}

// contains reports whether a text contains another one, not inside a word.
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

// units returns the text of a file in lines and cells, without frontmatter, headings of
// the format and comments.
func units(c *checkpoint.Checkpoint) []unit {
	var all []unit
	var bullets []former
	for _, e := range trailEntries(c) {
		if e.Cells == nil { // without cells, the brief shows these entries as a table
			bullets = append(bullets, former{span: e.Span})
			for _, text := range []string{e.File, e.Action, e.Change} {
				all = append(all, unit{e.Span.Start, text})
			}
		}
	}
	within := func(s doc.Span) {
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
					if _, is := find(bullets, start); !is {
						all = append(all, unit{start, withoutMarker(line)})
					}
					at += len(line)
				}
			}
		}
	}
	within(c.Doc.Preamble())
	for _, s := range c.Doc.Sections() {
		within(s.Body)
	}
	return all
}

// withoutMarker returns a line without the marker of a list or a quote.
func withoutMarker(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line), "> ")
	line = line[marker(line):]
	if len(line) > 3 && line[0] == '[' && line[2:4] == "] " {
		line = line[4:]
	}
	return line
}

// marker returns the length of the marker with which an entry of a list begins: "- ", "2. ".
func marker(line string) int {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest := line[digits:]
	signs := "-*+"
	if digits > 0 {
		signs = ".)"
	}
	if len(rest) < 2 || rest[1] != ' ' || strings.IndexByte(signs, rest[0]) < 0 {
		return 0
	}
	return digits + 2
}

// bare returns a text without markup, on one line.
func bare(s string) string {
	return text.OneLine(strings.NewReplacer("*", "", "`", "", "~~", "", "\\", "").Replace(s))
}
