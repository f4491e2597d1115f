package output

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
)

// Due says in a line whether a delta is due, and why.
func (p Text) Due(a policy.Reminder) error {
	style := p.pen()
	switch {
	case a.ID == "":
		p.printf("not due: no checkpoint is current\n")
	case !a.Due():
		p.printf("not due: %s, %s since %s\n", style.Bold(a.ID), traces(a), minute(a.Since))
	default:
		p.printf("%s %s, %s (since %s)\n", style.Yellow("due ("+string(a.Triggers[0])+"):"), style.Bold(a.ID), strings.Join(a.Why(), "; "), minute(a.Since))
		p.remark("to write it (ckpt delta --help): ckpt delta -F - --trigger " + string(a.Triggers[0]))
	}
	if a.Unrecorded != "" {
		p.printf("%s\n", a.Unrecorded)
	}
	return p.done()
}

func traces(a policy.Reminder) string {
	if len(a.Edits) == 0 && a.Files == 0 {
		return "no work to be seen"
	}
	return policy.Minutes(a.Worked) + " of work, " + text.Count(a.Files, "file") + " changed"
}

// Triggers lists every trigger: first those that ckpt sees in the traces of work, then
// those that are named.
func (p Text) Triggers(a policy.Reminder, all []policy.TriggerState) error {
	style := p.pen()
	width := 0
	for _, e := range all {
		width = max(width, len(e.Name))
	}
	switch {
	case a.ID == "":
		p.printf("no checkpoint is current\n")
	case a.Phase != "":
		p.printf("%s, phase %s, since %s\n", style.Bold(a.ID), a.Phase, minute(a.Since))
	default:
		p.printf("%s, since %s\n", style.Bold(a.ID), minute(a.Since))
	}
	for i, e := range all {
		switch {
		case i == 0:
			p.printf("\nSeen in the traces of work\n")
		case !e.Seen && all[i-1].Seen:
			p.printf("\nNamed with ckpt delta --trigger\n")
		}
		mark, name := style.Dim("○"), style.Bold(fmt.Sprintf("%-*s", width, string(e.Name)))
		if e.Due {
			mark = style.Yellow("●")
		}
		p.printf("  %s %s  %s\n", mark, name, p.hang(strings.Join(about(a, e), "; "), 6+width, 6+width))
	}
	return p.done()
}

// about is what there is to say of a trigger.
func about(a policy.Reminder, e policy.TriggerState) []string {
	var all []string
	if e.Means != "" {
		all = append(all, e.Means)
	}
	if e.Off {
		all = append(all, "off")
	}
	if e.Due {
		all = append(all, "due")
	}
	if a.ID != "" && e.SoFar != "" && !e.Off {
		all = append(all, "so far "+e.SoFar)
	}
	if !e.LastAt.IsZero() {
		all = append(all, "last "+minute(e.LastAt))
	}
	return all
}
