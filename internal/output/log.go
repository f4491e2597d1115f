package output

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/text"
)

// Log is a line a version: which commit, when, by what, and what it changed.
func (p Text) Log(l *revisions.Log) error {
	style := p.pen()
	if l.Edited {
		p.remark(l.ID + " has edits that are no version yet (ckpt diff, ckpt save)")
	}
	width := len(strconv.Itoa(max(0, len(l.Changes)-1)))
	indent := logIndent + width
	for n, c := range l.Changes {
		commit := style.Yellow(c.Short())
		if c.Pending != "" {
			commit = style.Yellow("waiting")
		}
		p.printf("%s  %*s  %s  %-8s ", commit, width+3, fmt.Sprintf("@{%d}", n), style.Dim(minute(c.Time)), cmp.Or(c.Op, "by hand"))
		summary, words := c.Summary(l.ID), c.Words()
		if words != "" {
			words = "(" + words + ")"
		}
		between := p.between(summary, words, indent)
		p.printf("%s%s%s", p.hang(summary, indent, indent), between, style.Dim(p.hang(words, indent, indent)))
		p.printf("\n")
	}
	if l.Older > 0 {
		p.remark(text.Count(l.Older, "older version") + " left out (--limit 0 shows all)")
	}
	return p.done()
}

// logIndent is the column where the summary of a version begins, but for the digits of
// its number.
const logIndent = 42

// between is what stands between a summary and what a version changed: two spaces, or a
// new line below the summary where a terminal is too narrow for both.
func (p Text) between(summary, words string, indent int) string {
	switch needs := indent + utf8.RuneCountInString(summary+"  "+words); {
	case words == "":
		return ""
	case p.Streams.OutIsTerminal() && needs > p.Streams.Width():
		return "\n" + strings.Repeat(" ", indent)
	}
	return "  "
}
