package doc

import (
	"bytes"
	"strings"
)

// Table is a table with a header row.
type Table struct {
	Span   Span // all its lines
	Header []string
	Rows   []Row
}

// Row is one row below the header.
type Row struct {
	Span  Span
	Cells []string // trimmed; `\|` read as |
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
	t := Table{Span: Span{lines[0].Start, lines[1].End}, Header: cells(line(0))}
	for i := 2; i < len(lines); i++ {
		t.Rows = append(t.Rows, Row{Span: lines[i], Cells: cells(line(i))})
		t.Span.End = lines[i].End
	}
	return t, true
}

func isDelimiter(line []byte) bool {
	return bytes.Contains(line, []byte("-")) && bytes.Contains(line, []byte("|")) && len(bytes.Trim(line, "|-: \t")) == 0
}

// cells splits a row at its bars; a bar behind a backslash is text.
func cells(row []byte) []string {
	row = bytes.TrimPrefix(row, []byte("|"))
	if bytes.HasSuffix(row, []byte("|")) && !bytes.HasSuffix(row, []byte(`\|`)) {
		row = row[:len(row)-1]
	}
	var all []string
	var cell strings.Builder
	for i := 0; i < len(row); i++ {
		switch {
		case row[i] == '\\' && i+1 < len(row) && row[i+1] == '|':
			cell.WriteByte('|')
			i++
		case row[i] == '|':
			all = append(all, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(row[i])
		}
	}
	return append(all, strings.TrimSpace(cell.String()))
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
