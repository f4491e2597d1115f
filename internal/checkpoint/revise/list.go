package revise

import (
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// bulletList writes each entry as a bullet, with further lines indented below the first. It skips
// blank entries.
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

// marker returns the marker of the first entry of a list. Next Actions are numbered, since their order matters.
func marker(k checkpoint.Kind) string {
	if k == checkpoint.Next {
		return "1."
	}
	return "-"
}

// movedMarker returns the marker with its number increased: "3." by 1 becomes "4.".
func movedMarker(marker string, by int) string {
	digits := strings.TrimRight(marker, ".)")
	if n, err := strconv.Atoi(digits); err == nil && digits != marker {
		return strconv.Itoa(max(0, n+by)) + marker[len(digits):]
	}
	return marker
}

// decisionRows returns decisions as rows for the table t.
func decisionRows(t doc.Table, entries []string) string {
	what, why := checkpoint.DecisionColumns(t)
	var b strings.Builder
	for _, entry := range entries {
		decided, reason := checkpoint.ParseDecision(entry)
		cells := make([]string, len(t.Header))
		if why < len(cells) {
			cells[what], cells[why] = "**"+decided+"**", reason
		} else {
			cells[what] = entry
		}
		b.WriteString(doc.TableRow(cells...))
	}
	return b.String()
}

func newTable(columns []string, rows [][]string) string {
	var rule strings.Builder
	for _, column := range columns {
		rule.WriteString("|" + strings.Repeat("-", len(column)+2))
	}
	return doc.TableRow(columns...) + rule.String() + "|\n" + tableRows(len(columns), rows)
}

// tableRows writes rows for a table with the given number of columns. Surplus cells are joined into
// the last column, since Markdown drops a cell without a column.
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
