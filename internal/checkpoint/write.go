package checkpoint

import (
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

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

// decisionRows are decisions as rows of a table with that header.
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

// joined are rows as entries of a list, for a section that the format has no
// table for.
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
