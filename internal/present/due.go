package present

import (
	"fmt"
	"strings"
	"time"

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
		var why []string
		for _, t := range a.Triggers {
			why = append(why, reason(a, t))
		}
		p.printf("%s %s, %s (since %s)\n", style.Yellow("due ("+string(a.Triggers[0])+"):"), style.Bold(a.ID), strings.Join(why, "; "), minute(a.Since))
		p.remark("ckpt delta -m TEXT --next TEXT")
	}
	return p.done()
}

func traces(a due.Answer) string {
	if len(a.Edits) == 0 && a.Files == 0 {
		return "no work to be seen"
	}
	return minutes(a.Worked) + " of work, " + plural(a.Files, "file") + " changed"
}

func reason(a due.Answer, t due.Trigger) string {
	switch t {
	case due.Phase:
		if a.WasPhase == "" {
			return fmt.Sprintf("the phase is %q, at the last delta it had none", a.Phase)
		}
		return fmt.Sprintf("the phase is %q, at the last delta it was %q", a.Phase, a.WasPhase)
	case due.Decision:
		return fmt.Sprintf("a commit tells of a decision: %q", a.Decision)
	case due.Limit:
		return "the last edit is " + minutes(a.Reach) + " behind the last delta"
	case due.Files:
		return plural(a.Files, "file") + " changed"
	}
	return minutes(a.Worked) + " of work"
}

func minutes(d time.Duration) string {
	if d < 2*time.Hour {
		return plural(int(d.Minutes()), "minute")
	}
	return plural(int(d.Hours()), "hour")
}
