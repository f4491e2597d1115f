package doc

import (
	"bytes"
	"strings"
)

// Table is a table with a header row.
type Table struct {
	Span   Span // all its lines
	Header []string
	Rows   []Entry
}

// Tables are the tables that stand in s.
func (d *Doc) Tables(s Span) []Table {
	var tables []Table
	for _, b := range d.Blocks(s) {
		if b.Kind != Paragraph {
			continue
		}
		var lines []Span
		for at := b.Span.Start; at < b.Span.End; at = lines[len(lines)-1].End {
			lines = append(lines, Span{at, min(lineEnd(d.src, at), b.Span.End)})
		}
		for i := 1; i < len(lines); i++ {
			if t, ok := d.table(lines[i-1:]); ok {
				tables = append(tables, t)
				break
			}
		}
	}
	return tables
}

// table reads a table whose header is the first of lines.
func (d *Doc) table(lines []Span) (Table, bool) {
	line := func(i int) []byte { return bytes.TrimSpace(d.src[lines[i].Start:lines[i].End]) }
	if !isDelimiter(line(1)) || bytes.IndexByte(line(0), '|') < 0 {
		return Table{}, false
	}
	t := Table{Span: Span{lines[0].Start, lines[1].End}, Header: d.row(lines[0]).Cells}
	for i := 2; i < len(lines); i++ {
		t.Rows = append(t.Rows, d.row(lines[i]))
		t.Span.End = lines[i].End
	}
	return t, true
}

func isDelimiter(line []byte) bool {
	return bytes.Contains(line, []byte("-")) && bytes.Contains(line, []byte("|")) && len(bytes.Trim(line, "|-: \t")) == 0
}

// row splits a line at its bars; a bar behind a backslash is text.
func (d *Doc) row(s Span) Entry {
	r := Entry{Span: s}
	start, end := s.Start, s.End
	for start < end && isBlank(d.src[start:start+1]) {
		start++
	}
	for end > start && isBlank(d.src[end-1:end]) {
		end--
	}
	if start < end && d.src[start] == '|' {
		start++
	}
	if start < end && d.src[end-1] == '|' && d.src[end-2] != '\\' {
		end--
	}
	for at := start; at <= end; at++ {
		if at < end && (d.src[at] != '|' || at > start && d.src[at-1] == '\\') {
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

var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// TableRow writes one row. Line breaks in a cell become spaces, bars are escaped.
func TableRow(cells ...string) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString("| ")
		b.WriteString(strings.ReplaceAll(strings.TrimSpace(oneLine.Replace(c)), "|", `\|`))
		b.WriteString(" ")
	}
	b.WriteString("|\n")
	return b.String()
}
