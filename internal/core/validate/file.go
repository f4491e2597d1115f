package validate

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
)

// file is one checkpoint with what several rules ask of it, read once: a file
// may hold ten thousand deltas.
type file struct {
	c       *checkpoint.Checkpoint
	d       *doc.Doc
	folder  *folder // nil where the file is checked by itself
	now     time.Time
	active  bool
	places  []checkpoint.Place
	deltas  []checkpoint.Delta
	tables  []doc.Table // of the whole body
	actions []action    // the open next actions
	code    []doc.Span  // the code blocks of the body, in order
	starts  []int       // where each line begins
}

// action is one open next action.
type action struct {
	text string
	line int
}

func newFile(c *checkpoint.Checkpoint, in *folder, now time.Time) *file {
	f := &file{
		c: c, d: c.Doc, folder: in, now: now, active: c.Status() != checkpoint.Archived,
		places: c.Places(), deltas: c.Deltas(), tables: c.Doc.Tables(c.Doc.Body()), starts: []int{0},
	}
	src := c.Doc.Bytes()
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		f.starts = append(f.starts, at)
	}
	for _, b := range f.d.Blocks(f.d.Body()) {
		if b.Kind == doc.Other && isCode(f.d.Slice(b.Span)) {
			f.code = append(f.code, b.Span)
		}
	}
	f.actions = f.openActions()
	return f
}

// isCode says whether a block is fenced or indented code; others of its kind are
// quotes and HTML.
func isCode(block string) bool {
	text := strings.TrimLeft(block, " ")
	return strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") || strings.HasPrefix(text, "\t") || len(block)-len(text) > 3
}

// inCode says whether s lies in a code block.
func (f *file) inCode(s doc.Span) bool {
	i := sort.Search(len(f.code), func(i int) bool { return f.code[i].End >= s.End })
	return i < len(f.code) && f.code[i].Contains(s)
}

// line is the number of the line that holds offset.
func (f *file) line(offset int) int {
	return sort.Search(len(f.starts), func(i int) bool { return f.starts[i] > offset })
}

// find is the first place of a section.
func (f *file) find(k checkpoint.Kind) (checkpoint.Place, bool) {
	for _, p := range f.places {
		if p.Kind == k {
			return p, true
		}
	}
	return checkpoint.Place{}, false
}

// said is the first place of a section that says something, with its text. A
// section that is missing or empty has findings of its own.
func (f *file) said(k checkpoint.Kind) (p checkpoint.Place, text string, ok bool) {
	if p, ok = f.find(k); ok {
		text = strings.TrimSpace(f.d.Text(p.Extent))
	}
	return p, text, text != ""
}

// heading is the line of a section's heading.
func (f *file) heading(s doc.Section) int { return f.line(s.Heading.Start) }

// tablesIn are the tables that stand in s.
func (f *file) tablesIn(s doc.Span) []doc.Table {
	i := sort.Search(len(f.tables), func(i int) bool { return f.tables[i].Span.Start >= s.Start })
	j := i
	for j < len(f.tables) && f.tables[j].Span.End <= s.End {
		j++
	}
	return f.tables[i:j]
}

// entries counts what a section lists: bullets and rows of tables, else
// paragraphs. One that only says "None" is none.
func (f *file) entries(p checkpoint.Place) int {
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

// openActions are the next actions that are not ticked; a section without a list
// holds one per paragraph.
func (f *file) openActions() []action {
	p, _, ok := f.said(checkpoint.Next)
	if !ok {
		return nil
	}
	var open []action
	all := f.c.Actions()
	for _, a := range all {
		if !a.Done && !checkpoint.IsNone(a.Text) {
			open = append(open, action{a.Text, f.line(a.Span.Start)})
		}
	}
	if len(all) > 0 {
		return open
	}
	for _, b := range f.d.Blocks(p.Extent) {
		text := strings.TrimSpace(f.d.Slice(b.Span))
		if b.Kind == doc.Paragraph && !checkpoint.IsNone(text) {
			open = append(open, action{text, f.line(b.Span.Start)})
		}
	}
	return open
}

// words counts the words of a text; bars and bullets are none.
func words(text string) int {
	n := 0
	for _, word := range strings.Fields(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// quote is the first line of a text in quotes, shortened to what fits in a message.
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

// few joins all names but one of them, or some and how many more there are.
func few(names []string, but string) string {
	const most = 5
	var some []string
	for _, name := range names {
		if len(some) == most {
			break
		}
		if name != but {
			some = append(some, name)
		}
	}
	text := strings.Join(some, ", ")
	if left := len(names) - 1 - len(some); left > 0 {
		text += " and " + strconv.Itoa(left) + " more"
	}
	return text
}
