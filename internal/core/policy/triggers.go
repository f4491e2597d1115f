package policy

import (
	"maps"
	"slices"
	"time"

	"example.com/ckpt/internal/core/text"
)

// Trigger is why a checkpoint is due.
type Trigger string

// The triggers that show in the traces of work, the most pressing first.
const (
	OnPhase    Trigger = "phase"    // the work is in another phase
	OnDecision Trigger = "decision" // a commit says that something was decided
	OnTask     Trigger = "task"     // next actions done
	OnLimit    Trigger = "limit"    // edits that are long after the last delta
	OnWork     Trigger = "work"     // much work
	OnFiles    Trigger = "files"    // many files
)

var seen = []Trigger{OnPhase, OnDecision, OnTask, OnLimit, OnWork, OnFiles}

// named are the triggers that nothing shows: whoever writes the delta names them, as
// `ckpt delta --trigger NAME`; hooks and plans name theirs by themselves.
var named = []TriggerState{
	{Name: "shift", Means: "the work turns to something else, or something more important came up"},
	{Name: "long", Means: "before a long operation"},
	{Name: "risk", Means: "before what cannot easily be taken back"},
	{Name: "handoff", Means: "another agent or person goes on"},
	{Name: "session", Means: "before the session ends"},
	{Name: "request", Means: "the user asks for it, or for a pause"},
	{Name: "source", Means: "a source is read (research)"},
	{Name: "section", Means: "a section is written (writing)"},
	{Name: "component", Means: "a component is understood (analysis)"},
	{Name: "pre-compact", Means: "before the agent's context is compacted; its hook names it"},
	{Name: "recovered", Means: "a session ended without a delta; ckpt delta --recovered names it"},
	{Name: "auto", Means: "a step of a plan is done; ckpt plan run names it"},
	{Name: "error", Means: "a step of a plan has failed; ckpt plan run names it"},
}

// Entry is one trigger, with what it is measured by.
type TriggerState struct {
	Name   Trigger
	Means  string
	Seen   bool      // ckpt sees it in the traces of work
	Off    bool      // the policy has switched it off
	Limit  int       // when it is due: seconds or a number; 0 where there is no measure
	So     int       // how much of that there is
	SoFar  string    // the same, for people
	Due    bool      // it calls for a delta now
	LastAt time.Time // of the last delta that names it; zero for none
}

// Names are the triggers that have a meaning here.
func TriggerNames() []string {
	var all []string
	for _, t := range seen {
		all = append(all, string(t))
	}
	for _, e := range named {
		all = append(all, string(e.Name))
	}
	return all
}

// List is every trigger: those that ckpt sees, the most pressing first; those that are
// named; and what deltas name besides. Last is when a delta last named each.
func (a Reminder) List(last map[Trigger]time.Time) []TriggerState {
	var all []TriggerState
	have := map[Trigger]bool{}
	add := func(e TriggerState) {
		e.LastAt, have[e.Name] = last[e.Name], true
		all = append(all, e)
	}
	for _, t := range seen {
		e := a.entry(t)
		e.Seen, e.Due = true, slices.Contains(a.Triggers, t)
		add(e)
	}
	for _, e := range named {
		add(e)
	}
	for _, t := range slices.Sorted(maps.Keys(last)) {
		if !have[t] {
			add(TriggerState{Name: t})
		}
	}
	return all
}

// entry is a trigger that ckpt sees, as the policy measures it.
func (a Reminder) entry(t Trigger) TriggerState {
	p := a.Policy
	switch t {
	case OnPhase:
		return TriggerState{Name: t, Means: "the phase is not that of the last delta"}
	case OnDecision:
		return TriggerState{Name: t, Means: "a commit tells of a decision, and no note does"}
	case OnTask:
		return measured(t, p.Tasks, a.Tasks, text.Count(p.Tasks, "next action")+" done or steps noted", "next actions done or steps noted", text.Count(a.Tasks, "task"))
	case OnLimit:
		return measured(t, seconds(p.Limit), seconds(a.Reach), "the last edit "+Minutes(p.Limit)+" behind the last delta", "the last edit long behind the last delta", Minutes(a.Reach))
	case OnFiles:
		return measured(t, p.Files, a.Files, text.Count(p.Files, "file")+" changed", "files changed", text.Count(a.Files, "file"))
	}
	return measured(t, seconds(p.Work), seconds(a.Worked), Minutes(p.Work)+" of work", "minutes of work", Minutes(a.Worked))
}

// measured is a trigger with a threshold; off is what it means without one.
func measured(t Trigger, limit, so int, means, off, soFar string) TriggerState {
	if limit == 0 {
		means = off
	}
	return TriggerState{Name: t, Means: means, Off: limit == 0, Limit: limit, So: so, SoFar: soFar}
}

func seconds(d time.Duration) int { return int(d.Seconds()) }
