package present

import (
	"cmp"

	"example.com/ckpt/internal/core/history"
	"example.com/ckpt/internal/core/phrase"
)

// Log is a line a version: which commit, when, by what, and what it changed.
func (p Text) Log(l *history.Log) error {
	style := p.pen()
	if l.Edited {
		p.remark(l.ID + " has edits that are no version yet (ckpt diff, ckpt save)")
	}
	for _, c := range l.Changes {
		commit := style.Yellow(c.Short())
		if c.Pending != "" {
			commit = style.Yellow("waiting")
		}
		p.printf("%s  %s  %-8s %s", commit, style.Dim(minute(c.Time)), cmp.Or(c.Op, "by hand"), c.Summary(l.ID))
		if words := c.Words(); words != "" {
			p.printf("  %s", style.Dim("("+words+")"))
		}
		p.printf("\n")
	}
	if l.Older > 0 {
		p.remark(phrase.Count(l.Older, "older version") + " left out (--limit 0 shows all)")
	}
	return p.done()
}
