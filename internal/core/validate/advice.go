package validate

import (
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
)

// The rules of thumb. Only what somebody is still to work on is measured by them.
const (
	problemWords  = 20
	stateWords    = 30
	leastEntries  = 2
	ageWithout    = 7 * 24 * time.Hour // without a delta
	ageSinceDelta = 3 * 24 * time.Hour
)

var adviceRules = []Rule{
	{
		Code: "CK701", Severity: result.Advice, Title: "the Problem is short", file: shorter(checkpoint.Problem, problemWords), activeOnly: true,
		Means:  "In fewer than 20 words a reader who knows nothing rarely learns what is wrong, for whom, and why it matters.",
		Fix:    "Say it for somebody who was not there: `ckpt edit {id}`.",
		Source: "O003-19, O003-43", Example: "Login fails.",
	},
	{
		Code: "CK702", Severity: result.Advice, Title: "fewer than two decisions", file: fewDecisions, activeOnly: true,
		Means:  "Work that needs a checkpoint has mostly decided more than that. What is not written is asked again.",
		Fix:    "Look back for choices that were made: `ckpt note decision WHAT --why WHY`.",
		Source: "O003-20", Example: "### Decisions\n\n- **Tokens expire after 15 minutes**: an hour was too long after a leak",
	},
	{
		Code: "CK703", Severity: result.Advice, Title: "fewer than two steps in Play-By-Play", file: fewSteps, activeOnly: true,
		Means:  "One step does not show how the work came to where it is.",
		Fix:    "Add what was done, as Step → Action → Outcome: `ckpt note step TEXT`.",
		Source: "O003-21", Example: "### Play-By-Play\n\n- Phase 1 → wrote `auth.go` → login works",
	},
	{
		Code: "CK704", Severity: result.Advice, Title: "the Artifact Trail lists nothing", file: noArtifacts, activeOnly: true,
		Means:  "No file is named. Whoever goes on has to find out which ones the work touches.",
		Fix:    "`ckpt delta` lists them from git; `ckpt note artifact` adds one.",
		Source: "O003-22", Example: "| File | Status | Key Change |\n|------|--------|------------|\n\n### Current State",
	},
	{
		Code: "CK705", Severity: result.Advice, Title: "nothing is left to do", file: noActions, activeOnly: true,
		Means:  "Every next action is ticked, or the section says that there is none. Either the work is over or the next step was not written down.",
		Fix:    "`ckpt next TEXT` says what comes next; `ckpt archive {id} --outcome TEXT` ends it.",
		Source: "O003-23", Example: "### Next Actions\n\nNone.",
	},
	{
		Code: "CK706", Severity: result.Advice, Title: "the Current State is short", file: shorter(checkpoint.State, stateWords), activeOnly: true,
		Means:  "In fewer than 30 words it rarely says what works, what does not yet, and where things stand.",
		Fix:    "`ckpt delta --state TEXT`, or `ckpt note state TEXT`.",
		Source: "O003-24, O003-43", Example: "### Current State\n\nLogin works.",
	},
	{
		Code: "CK707", Severity: result.Advice, Title: "a week without a delta", file: noDeltaForLong, activeOnly: true,
		Means:  "The checkpoint was made more than 7 days ago and nothing was added since: it may describe a state that is gone.",
		Fix:    "See what moved on since (`git log`); then `ckpt delta`, or `ckpt archive` if it is over.",
		Source: "O003-25", Example: "created: 2025-12-01T10:00:00Z",
	},
	{
		Code: "CK708", Severity: result.Advice, Title: "the last delta is old", file: oldDelta, activeOnly: true,
		Means:  "The last delta is more than 3 days old: what was done since is not in the checkpoint.",
		Fix:    "`ckpt delta` if work went on; `ckpt archive` if it is over.",
		Source: "O003-26", Example: "last_delta: 2025-12-29T10:00:00Z",
	},
}

func shorter(k checkpoint.Kind, least int) func(*file, say) {
	return func(f *file, say say) {
		p, text, ok := f.said(k)
		if n := words(text); ok && n < least {
			say(f.heading(p.Section), "words in %q: %d, fewer than %d", k.String(), n, least)
		}
	}
}

func fewDecisions(f *file, say say) {
	p, _, ok := f.said(checkpoint.Decisions)
	if !ok {
		return
	}
	n := f.entries(p)
	for _, d := range f.c.Decisions() {
		if !d.Live() {
			n--
		}
	}
	if n < leastEntries {
		say(f.heading(p.Section), "live decisions: %d, fewer than %d", max(n, 0), leastEntries)
	}
}

func fewSteps(f *file, say say) {
	p, text, ok := f.said(checkpoint.PlayByPlay)
	if !ok || checkpoint.IsNone(text) { // CK803
		return
	}
	if n := f.entries(p); n < leastEntries {
		say(f.heading(p.Section), "steps: %d, fewer than %d", n, leastEntries)
	}
}

func noArtifacts(f *file, say say) {
	if p, _, ok := f.said(checkpoint.Artifacts); ok && f.entries(p) == 0 {
		say(f.heading(p.Section), "no artifact is listed")
	}
}

func noActions(f *file, say say) {
	if p, _, ok := f.said(checkpoint.Next); ok && len(f.actions) == 0 && (len(f.c.Actions()) > 0 || f.entries(p) == 0) {
		say(f.heading(p.Section), "no next action is open")
	}
}

func noDeltaForLong(f *file, say say) {
	created, changed := f.c.Created(), f.changed()
	if f.now.IsZero() || created.IsZero() || changed.After(created) {
		return
	}
	if age := f.now.Sub(created); age > ageWithout {
		say(f.d.Front.Line("created"), "made %d days ago, without a delta since", days(age))
	}
}

func oldDelta(f *file, say say) {
	changed := f.changed()
	if f.now.IsZero() || changed.IsZero() || !changed.After(f.c.Created()) {
		return
	}
	if age := f.now.Sub(changed); age > ageSinceDelta {
		line := f.d.Front.Line("last_delta")
		if n := len(f.deltas); n > 0 {
			line = f.heading(f.deltas[n-1].Section)
		}
		say(line, "the last delta is %d days old", days(age))
	}
}

// changed is the time of the newest delta that the header or a heading names;
// zero where there is none.
func (f *file) changed() time.Time {
	newest, _ := checkpoint.ParseTime(f.c.Field("last_delta"))
	for _, d := range f.deltas {
		if d.At.After(newest) {
			newest = d.At
		}
	}
	return newest
}

func days(age time.Duration) int { return int(age / (24 * time.Hour)) }
