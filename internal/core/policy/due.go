package policy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/text"
)

// Policy is when a checkpoint is due. A zero switches a trigger off.
type Due struct {
	Work  time.Duration // of work without a delta
	Limit time.Duration // from the last delta to the last edit, absence left out
	Pause time.Duration // a gap between two traces that is longer is no work
	Files int           // changed
	Tasks int           // next actions done and steps noted
}

// Default is the policy where nobody says otherwise.
func DefaultDue() Due {
	return Due{Work: 10 * time.Minute, Limit: 30 * time.Minute, Pause: 15 * time.Minute, Files: 10}
}

// Traces are what happened since the last delta.
type Traces struct {
	Since    time.Time   // the last delta, or the creation
	Edits    []time.Time // of files that are not as the delta knew them, and of own commits
	Files    int         // how many were changed
	Tasks    int         // next actions done and steps noted
	Commits  int         // own ones
	Messages []string    // of them, oldest first, but for those before the last decision that was noted
	WasPhase string      // the phase at the last delta, and now
	Phase    string
}

// absence is how many limits a gap has to be long for nobody to have been there.
// What is shorter may be work: of a file that is saved again and again only the last
// time is known.
const absence = 2

// Answer says whether a checkpoint is due, and what that is based on.
type Reminder struct {
	ID       string    // the checkpoint; "" where none is current
	Triggers []Trigger // that call for a delta, the most pressing first; none: not due
	Traces
	Worked   time.Duration // as far as traces show it
	Reach    time.Duration // from the last delta to the last edit, absence left out
	Decision string        // the first line of the message that tells of a decision
	Policy   Due

	Unrecorded string // what other sessions did without a delta, in one line; empty for nothing
}

// Due says whether a delta is due.
func (a Reminder) Due() bool { return len(a.Triggers) > 0 }

// Decide weighs traces. Those of the future are of now: a clock was wrong.
func Remind(id string, t Traces, p Due, now time.Time) Reminder {
	a := Reminder{ID: id, Traces: t, Policy: p}
	a.Edits = nil
	for _, at := range t.Edits {
		if at.After(now) {
			at = now
		}
		if at.After(t.Since) {
			a.Edits = append(a.Edits, at)
		}
	}
	slices.SortFunc(a.Edits, time.Time.Compare)
	last := t.Since
	for _, at := range a.Edits {
		gap := at.Sub(last)
		if gap <= p.Pause {
			a.Worked += gap
		}
		if gap <= absence*p.Limit {
			a.Reach += gap
		}
		last = at
	}
	a.Decision = decision(t.Messages)
	for _, rule := range []struct {
		trigger Trigger
		fires   bool
	}{
		{OnPhase, t.WasPhase != t.Phase},
		{OnDecision, a.Decision != ""},
		{OnTask, p.Tasks > 0 && t.Tasks >= p.Tasks},
		{OnLimit, p.Limit > 0 && a.Reach >= p.Limit},
		{OnWork, p.Work > 0 && a.Worked >= p.Work},
		{OnFiles, p.Files > 0 && t.Files >= p.Files},
	} {
		if rule.fires {
			a.Triggers = append(a.Triggers, rule.trigger)
		}
	}
	return a
}

// decided is how commits tell of a decision.
var decided = text.Regexp(`(?i)\b(decid(e|es|ed|ing)|decisions?|ch(oo|o)se|chosen|opt(s|ed)? for|in favou?r of|instead of|rather than|switch(es|ed)? (over )?to|migrat(e|es|ed|ing) to|adopt(s|ed|ing)?|deprecat(e|es|ed)|supersed(e|es|ed)|breaking change)\b|^\w+(\([^)]*\))?!:`)

// decision is the first line of the newest message that tells of a decision.
func decision(messages []string) string {
	for _, message := range slices.Backward(messages) {
		message = strings.TrimSpace(message)
		if decided.MatchString(message) {
			line, _, _ := strings.Cut(message, "\n")
			return cmp.Or(strings.TrimSpace(line), message)
		}
	}
	return ""
}
