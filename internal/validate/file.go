package validate

import (
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// file is one checkpoint with data that several rules need, computed once: a file may have ten
// thousand deltas.
type file struct {
	c       *checkpoint.Checkpoint
	d       *doc.Doc
	folder  *folder // nil if the file is checked without its folder
	now     time.Time
	active  bool
	places  []checkpoint.Section
	deltas  []checkpoint.Delta
	tables  []doc.Table         // the tables of the whole body
	actions []checkpoint.Action // the open next actions
	code    []doc.Span          // the code blocks of the body, in order
}

func newFile(c *checkpoint.Checkpoint, in *folder, now time.Time) *file {
	f := &file{
		c: c, d: c.Doc, folder: in, now: now, active: c.Status() != checkpoint.Archived,
		places: c.Sections(), deltas: c.Deltas(), tables: c.Doc.Tables(c.Doc.Body()), actions: c.OpenActions(),
	}
	for _, b := range f.d.Blocks(f.d.Body()) {
		if b.Kind == doc.Other && isCode(f.d.Slice(b.Span)) {
			f.code = append(f.code, b.Span)
		}
	}
	return f
}

// isCode reports whether a block of kind [doc.Other] is fenced or indented code, and not a quote or HTML.
func isCode(block string) bool {
	text := strings.TrimLeft(block, " ")
	return fenceOf(text) != "" || strings.HasPrefix(text, "\t") || len(block)-len(text) > 3
}

// inCode reports whether s is in a code block.
func (f *file) inCode(s doc.Span) bool {
	i := sort.Search(len(f.code), func(i int) bool { return f.code[i].End >= s.End })
	return i < len(f.code) && f.code[i].Contains(s)
}

// line returns the line number of an offset.
func (f *file) line(offset int) int { return f.d.Line(offset) }

// filled returns the first section of a kind and its text, if the section is not empty. Other rules
// report missing and empty sections.
func (f *file) filled(k checkpoint.Kind) (p checkpoint.Section, text string, ok bool) {
	p, _ = f.c.Find(k)
	text = strings.TrimSpace(f.d.Text(p.Extent))
	return p, text, text != ""
}

// heading returns the line number of a section's heading.
func (f *file) heading(s doc.Section) int { return f.line(s.Heading.Start) }

// tablesIn returns the tables inside s.
func (f *file) tablesIn(s doc.Span) []doc.Table {
	i := sort.Search(len(f.tables), func(i int) bool { return f.tables[i].Span.Start >= s.Start })
	j := i
	for j < len(f.tables) && f.tables[j].Span.End <= s.End {
		j++
	}
	return f.tables[i:j]
}

// entries counts the entries of a section: bullets and rows of tables, or paragraphs if it
// has neither. "None" does not count.
func (f *file) entries(p checkpoint.Section) int {
	n := 0
	for _, item := range f.d.Items(p.Extent) {
		if !checkpoint.IsNone(item.Text) {
			n++
		}
	}
	tables := f.tablesIn(p.Extent)
	for _, t := range tables {
		n += len(t.Rows)
	}
	if n > 0 || len(tables) > 0 {
		return n
	}
	for _, b := range f.d.Blocks(p.Extent) {
		if b.Kind == doc.Paragraph && !checkpoint.IsNone(f.d.Slice(b.Span)) {
			n++
		}
	}
	return n
}

// words counts the words of a text. Bars of tables and markers of bullets do not count.
func words(text string) int {
	n := 0
	for _, word := range strings.Fields(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// quote returns the first line of a text for a message: in quotes, and shortened to 60 characters.
func quote(text string) string {
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	if runes := []rune(line); len(runes) > 60 {
		line, more = string(runes[:59]), true
	}
	if more {
		line += "…"
	}
	return strconv.Quote(line)
}
