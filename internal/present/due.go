package present

import (
	"strings"

	"example.com/ckpt/internal/core/due"
)

// Due says in a line whether a delta is due, and why.
func (p Text) Due(a due.Answer) error {
	style := p.pen()
	switch {
	case a.ID == "":
		p.printf("not due: no checkpoint is current\n")
	case !a.Due():
		p.printf("not due: %s, %s since %s\n", style.Bold(a.ID), traces(a), minute(a.Since))
	default:
		p.printf("%s %s, %s (since %s)\n", style.Yellow("due ("+string(a.Triggers[0])+"):"), style.Bold(a.ID), strings.Join(a.Why(), "; "), minute(a.Since))
		p.remark("ckpt delta -m TEXT --next TEXT")
	}
	return p.done()
}

func traces(a due.Answer) string {
	if len(a.Edits) == 0 && a.Files == 0 {
		return "no work to be seen"
	}
	return due.Minutes(a.Worked) + " of work, " + plural(a.Files, "file") + " changed"
}
