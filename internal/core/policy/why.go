package policy

import (
	"fmt"
	"time"

	"example.com/ckpt/internal/core/text"
)

// Why is the triggers that call for a delta, each in a few words.
func (a Reminder) Why() []string {
	var all []string
	for _, t := range a.Triggers {
		all = append(all, a.reason(t))
	}
	return all
}

func (a Reminder) reason(t Trigger) string {
	switch t {
	case OnPhase:
		if a.WasPhase == "" {
			return fmt.Sprintf("the phase is %q, at the last delta it had none", a.Phase)
		}
		return fmt.Sprintf("the phase is %q, at the last delta it was %q", a.Phase, a.WasPhase)
	case OnDecision:
		return fmt.Sprintf("a commit tells of a decision: %q", a.Decision)
	case OnTask:
		return text.Count(a.Tasks, "task") + " done"
	case OnLimit:
		return "the last edit is " + Minutes(a.Reach) + " behind the last delta"
	case OnFiles:
		return text.Count(a.Files, "file") + " changed"
	}
	return Minutes(a.Worked) + " of work"
}

// Minutes is a time as people say it.
func Minutes(d time.Duration) string {
	if d < 2*time.Hour {
		return text.Count(int(d.Minutes()), "minute")
	}
	return text.Count(int(d.Hours()), "hour")
}
