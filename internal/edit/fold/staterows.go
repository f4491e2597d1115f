package fold

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/progress"
)

// State returns the Current State as of now: where a row of a table names an item that a
// delta has moved, its status is the one that the item was moved to.
func State(c *checkpoint.Checkpoint) string {
	edits := movedRows(c)
	if len(edits) == 0 {
		return c.Text(checkpoint.State)
	}
	now, err := c.Revise().Splice(edits...).Apply()
	if err != nil { // it is not a table any more
		return c.Text(checkpoint.State)
	}
	return now.Text(checkpoint.State)
}

// movedRows returns the edits that bring the rows of Current State up to date.
func movedRows(c *checkpoint.Checkpoint) []doc.Edit {
	p, ok := c.Find(checkpoint.State)
	deltas := c.Deltas()
	if !ok || !slices.ContainsFunc(deltas, func(d checkpoint.Delta) bool { return len(d.Transitions) > 0 }) {
		return nil
	}
	var edits []doc.Edit
	for _, t := range c.Doc.Tables(p.Extent) {
		for _, row := range t.Rows {
			at, now := moved(t.Header, row.Cells, deltas)
			if at >= 0 && at < len(row.CellSpans) && now != row.Cells[at] {
				edits = append(edits, doc.Replace(row.CellSpans[at], strings.ReplaceAll(now, "|", `\|`)))
			}
		}
	}
	return edits
}

// moved returns which cell of a row is its status, and what that is after all
// transitions of the item that the row names; -1 where there are none.
func moved(header, cells []string, deltas []checkpoint.Delta) (at int, now string) {
	at = -1
	for _, d := range deltas {
		for _, t := range d.Transitions {
			item := slices.IndexFunc(cells, func(cell string) bool { return progress.Key(cell) == progress.Key(t.Item) })
			if item < 0 || progress.Key(t.Item) == "" {
				continue
			}
			if at < 0 {
				if at = statusCell(header, cells, item, t); at < 0 {
					continue
				}
				now = cells[at]
			}
			if moves(now, t) {
				now = t.After
			}
		}
	}
	return at, now
}

// statusCell returns the cell that holds the status of the item in another cell: that of
// a column of such a name, else the first that says what the item was.
func statusCell(header, cells []string, item int, t checkpoint.Transition) int {
	for i, title := range header {
		switch strings.ToLower(strings.Trim(title, "*_` ")) {
		case "status", "state", "estado":
			if i != item && i < len(cells) {
				return i
			}
		}
	}
	for i, cell := range cells {
		if i != item && cell != "" && progress.Key(cell) == progress.Key(t.Before) {
			return i
		}
	}
	return -1
}

// moves reports whether a transition takes an item on from the status that its row has.
// One that begins before it is older than the row.
func moves(now string, t checkpoint.Transition) bool {
	if isBlank(now) || progress.Key(now) == progress.Key(t.Before) {
		return true
	}
	is, was, after := progress.StatusOf(now), progress.StatusOf(t.Before), progress.StatusOf(t.After)
	switch {
	case is == progress.Unknown:
		return false
	case isBlank(t.Before):
		return is.Before(after)
	}
	return was != progress.Unknown && !was.Before(is)
}

// isBlank reports whether a cell says nothing.
func isBlank(cell string) bool { return strings.Trim(cell, "-–— ") == "" }
