package doc

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/util"
)

// Content returns the span of s without the blank lines around it and the rules at its end. It is
// empty if s has nothing else. Headings in s are content.
func (d *Doc) Content(s Span) Span {
	blocks := d.Blocks(s)
	for len(blocks) > 0 && blocks[len(blocks)-1].Kind == Rule {
		blocks = blocks[:len(blocks)-1]
	}
	c := Span{s.Start, s.Start}
	if len(blocks) > 0 {
		c = Span{blocks[0].Span.Start, blocks[len(blocks)-1].Span.End}
	}
	all := d.Sections()
	first := sort.Search(len(all), func(i int) bool { return all[i].Heading.Start >= s.Start })
	for _, heading := range all[first:] {
		h := heading.Heading
		switch {
		case h.End > s.End:
			return c
		case c.Len() == 0:
			c = h
		default:
			c = Span{min(c.Start, h.Start), max(c.End, h.End)}
		}
	}
	return c
}

// Text returns the content of s without the given spans, and without comments that are blocks of their own: these
// only guide the person who fills in the section.
func (d *Doc) Text(s Span, without ...Span) string {
	c := d.Content(s)
	for _, block := range d.Blocks(c) {
		if block.Kind == Comment {
			without = append(without, block.Span)
		}
	}
	slices.SortFunc(without, func(a, b Span) int { return a.Start - b.Start })
	var b strings.Builder
	b.Grow(c.Len())
	at := c.Start
	for _, hole := range without {
		if hole.Start >= at && hole.End <= c.End {
			b.Write(d.src[at:hole.Start])
			at = hole.End
		}
	}
	b.Write(d.src[at:max(c.End, at)])
	return trimBlankLines(strings.ReplaceAll(b.String(), "\r\n", "\n"))
}

// trimBlankLines removes blank lines around text and white space at its end.
func trimBlankLines(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || !util.IsBlank([]byte(line)) {
			return text
		}
		text = rest
	}
}

// Entry is an item of a list or a row of a table.
type Entry struct {
	Span Span // all lines, also nested ones, without the blank lines after them

	// For an item of a list.
	Marker string // "-", "*", "3."
	Start  int    // the offset of the text, after the marker
	Text   string // the text without the marker; further lines are without their indent

	// For a row of a table.
	Cells     []string // without white space around them; `\|` is read as |
	CellSpans []Span   // the spans of the cells, without the white space around them
}

// Cell returns the cell at an index, or "" if the row has fewer cells.
func (e Entry) Cell(i int) string {
	if i < 0 || i >= len(e.Cells) {
		return ""
	}
	return e.Cells[i]
}

// Number returns the number in the marker of an item, or 0 for a bullet.
func (e Entry) Number() int {
	n, _ := strconv.Atoi(strings.TrimRight(e.Marker, ".)"))
	return n
}

// Items returns the items of all top-level lists in s.
func (d *Doc) Items(s Span) []Entry {
	var items []Entry
	for _, b := range d.Blocks(s) {
		for i, start := range b.items {
			end := b.Span.End
			if i+1 < len(b.items) {
				end = b.items[i+1]
			}
			items = append(items, d.item(Span{start, trimBlank(d.src, start, end)}))
		}
	}
	return items
}

// item parses the lines of an item.
func (d *Doc) item(s Span) Entry {
	first := bytes.TrimRight(d.src[s.Start:min(lineEnd(d.src, s.Start), s.End)], " \t\r\n")
	indent := len(first) - len(bytes.TrimLeft(first, " "))
	marker := len(first) - len(bytes.TrimLeft(first[indent:], "0123456789")) + 1
	text := len(first) - len(bytes.TrimLeft(first[marker:], " \t"))
	margin := text
	if text == len(first) || text > marker+4 { // the first line is empty or is code
		margin = marker + 1
	}
	item := Entry{Span: s, Marker: string(first[indent:marker]), Start: s.Start + text, Text: string(first[text:])}
	if at := lineEnd(d.src, s.Start); at < s.End {
		lines := []string{item.Text}
		for at < s.End {
			end := lineEnd(d.src, at)
			lines = append(lines, string(unindent(bytes.TrimRight(d.src[at:end], " \t\r\n"), margin)))
			at = end
		}
		item.Text = strings.Join(lines, "\n")
	}
	if text == len(first) { // the text begins on a line below the marker
		item.Text = trimBlankLines(item.Text)
		item.Start = s.End - len(bytes.TrimLeft(d.src[item.Start:s.End], " \t\r\n"))
	}
	return item
}

// unindent removes up to n columns of white space from the start of a line. A tab that begins in
// these columns is removed as a whole.
func unindent(line []byte, n int) []byte {
	for at := 0; at < n && len(line) > 0 && (line[0] == ' ' || line[0] == '\t'); at++ {
		if line[0] == '\t' {
			at |= 3 // up to the next multiple of four
		}
		line = line[1:]
	}
	return line
}

// Table is a table with a header row.
type Table struct {
	Span   Span // all its lines
	Header []string
	Rows   []Entry // the rows below the header
}

// Column returns the index of the first column whose title is one of the given titles in lower
// case, or -1. Markup around a title does not count.
func (t Table) Column(titles ...string) int {
	return slices.IndexFunc(t.Header, func(title string) bool {
		return slices.Contains(titles, PlainTitle(title))
	})
}

// Tables returns the tables in s.
func (d *Doc) Tables(s Span) []Table {
	var tables []Table
	for _, b := range d.Blocks(s) {
		if b.Kind != Paragraph {
			continue
		}
		var lines []Span
		for at := b.Span.Start; at < b.Span.End; at = lineEnd(d.src, at) {
			lines = append(lines, Span{at, min(lineEnd(d.src, at), b.Span.End)})
		}
		for i := 1; i < len(lines); i++ {
			if d.isHeader(lines[i-1], lines[i]) {
				tables = append(tables, d.table(lines[i-1:]))
				break
			}
		}
	}
	return tables
}

// isHeader reports whether the first of two lines is the header of a table and the second its
// delimiter row.
func (d *Doc) isHeader(header, rule Span) bool {
	line := bytes.TrimSpace(d.src[rule.Start:rule.End])
	return bytes.IndexByte(line, '-') >= 0 && bytes.IndexByte(line, '|') >= 0 && len(bytes.Trim(line, "|-: \t")) == 0 &&
		bytes.IndexByte(d.src[header.Start:header.End], '|') >= 0
}

// table parses the lines of a table.
func (d *Doc) table(lines []Span) Table {
	t := Table{Span: Span{lines[0].Start, lines[len(lines)-1].End}, Header: d.row(lines[0]).Cells}
	for _, line := range lines[2:] {
		t.Rows = append(t.Rows, d.row(line))
	}
	return t
}

// row splits a line at its bars. A bar after a backslash is text.
func (d *Doc) row(s Span) Entry {
	r := Entry{Span: s}
	start := s.End - len(bytes.TrimLeft(d.src[s.Start:s.End], " \t\r\n"))
	end := start + len(bytes.TrimRight(d.src[start:s.End], " \t\r\n"))
	if start < end && d.src[start] == '|' {
		start++
	}
	if start < end && d.src[end-1] == '|' && d.src[end-2] != '\\' {
		end--
	}
	for at := start; at <= end; at++ {
		escaped := at > start && d.src[at-1] == '\\'
		if at < end && (d.src[at] != '|' || escaped) {
			continue
		}
		cell := d.src[start:at]
		text := bytes.TrimSpace(cell)
		from := start + bytes.Index(cell, text)
		r.CellSpans = append(r.CellSpans, Span{from, from + len(text)})
		r.Cells = append(r.Cells, strings.ReplaceAll(string(text), `\|`, "|"))
		start = at + 1
	}
	return r
}

// TableRow returns a row of a table. Line breaks in a cell become spaces, and bars are escaped.
func TableRow(cells ...string) string {
	var b strings.Builder
	oneLine := strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")
	for _, c := range cells {
		b.WriteString("| ")
		b.WriteString(strings.ReplaceAll(strings.TrimSpace(oneLine.Replace(c)), "|", `\|`))
		b.WriteString(" ")
	}
	b.WriteString("|\n")
	return b.String()
}
