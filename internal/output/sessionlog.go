package output

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// SessionLog prints a line for each entry of a session's record: the time, the tool, and
// the files or the command.
func (p Text) SessionLog(l *record.Log) error {
	style := p.pen()
	p.printf("%s", style.Bold("Session "+l.ID))
	if l.Agent != "" {
		p.printf(" (%s)", l.Agent)
	}
	p.printf("\n")
	width := 0
	for _, e := range l.Entries {
		width = max(width, min(len(doing(e)), widestTool))
	}
	indent := len(checkpoint.FormatTime(l.Last())) + 2 + width + 2
	for _, e := range slices.Backward(l.Entries) {
		p.printf("%s", strings.TrimRight(fmt.Sprintf("%s  %-*s  %s", style.Dim(checkpoint.FormatTime(e.At)), width, doing(e), p.hang(done(e), indent, indent)), " ")+"\n")
	}
	if l.Older > 0 {
		p.remark(text.Count(l.Older, "older line") + " left out (--limit 0 shows all)")
	}
	if n := len(l.Others); n > 0 {
		p.remark(text.Count(n, "other session") + " recorded, the newest: ckpt log --session " + l.Others[0].ID)
	}
	return p.done()
}

// widestTool bounds the column with the names of tools: those of servers are long.
const widestTool = 20

// doing returns the tool of an entry, or the event where there is none.
func doing(e record.Entry) string {
	if e.Event == record.Operation {
		return "ckpt"
	}
	return cmp.Or(e.Tool, e.Event)
}

// done returns the files and the command of an entry, and how the command ended.
func done(e record.Entry) string {
	if e.Event == record.Operation {
		return strings.TrimSpace(e.Tool + " " + e.Checkpoint)
	}
	what := strings.Join(e.Files, ", ")
	if e.More > 0 {
		what += fmt.Sprintf(" and %d more", e.More)
	}
	if e.Command != "" {
		what = strings.TrimSpace(what + " " + e.Command)
	}
	if e.Exit != nil {
		what += fmt.Sprintf(" (exit %d)", *e.Exit)
	}
	return text.OneLine(what)
}
