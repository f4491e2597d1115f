package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Due has the amounts of work that make a delta due. Zero disables a trigger.
type Due struct {
	Work  time.Duration // the time of work without a delta
	Limit time.Duration // the time from the last delta to the last edit, without absences
	Pause time.Duration // a longer gap between two traces does not count as work
	Files int           // the number of changed files
	Tasks int           // the number of next actions done and steps noted
}

// DefaultDue returns the thresholds of a folder without config.yaml.
func DefaultDue() Due {
	return Due{Work: 10 * time.Minute, Limit: 30 * time.Minute, Pause: 15 * time.Minute, Files: 10}
}

// Traces has the traces of the work since the last delta.
type Traces struct {
	Since   time.Time   `json:"-"`       // the time of the last delta, or of the creation
	Edits   []time.Time `json:"-"`       // the times of files that differ from the last delta's state, and of the user's commits
	Files   int         `json:"files"`   // how many files changed
	Tasks   int         `json:"tasks"`   // how many next actions were done and steps were noted
	Commits int         `json:"commits"` // how many commits of the user change more than checkpoints
	// Messages has the messages of these commits, oldest first, without those before the last recorded decision.
	Messages []string `json:"-"`
	WasPhase string   `json:"was_phase,omitempty"` // the phase at the last delta
	Phase    string   `json:"phase,omitempty"`
}

// absence is a factor: a gap of this many times the limit counts as absence. A shorter gap may be
// work: if a file is saved again and again, only the last time is known.
const absence = 2

// Reminder reports whether a delta is due, and why.
type Reminder struct {
	ID       string               `json:"id,omitempty"` // the id of the current checkpoint
	Triggers result.List[Trigger] `json:"triggers"`     // why, the most urgent one first
	Traces
	Worked   time.Duration `json:"-"`                  // the time of work, as far as traces show it
	Reach    time.Duration `json:"-"`                  // the time from the last delta to the last edit, without absences
	Decision string        `json:"decision,omitempty"` // the first line of the commit message about a decision
	Policy   Due           `json:"-"`

	Unrecorded string `json:"unrecorded,omitempty"` // what other sessions did without a delta, in one line
}

// Due reports whether a delta is due.
func (r Reminder) Due() bool { return len(r.Triggers) > 0 }

// Remind decides whether a delta is due. Edits with a time in the future count as made now.
func Remind(id string, t Traces, due Due, now time.Time) Reminder {
	r := Reminder{ID: id, Traces: t, Policy: due, Decision: decisionIn(t.Messages)}
	r.Edits = nil
	for _, at := range t.Edits {
		if at.After(now) {
			at = now
		}
		if at.After(t.Since) {
			r.Edits = append(r.Edits, at)
		}
	}
	slices.SortFunc(r.Edits, time.Time.Compare)
	last := t.Since
	for _, at := range r.Edits {
		gap := at.Sub(last)
		if gap <= due.Pause {
			r.Worked += gap
		}
		if gap <= absence*due.Limit {
			r.Reach += gap
		}
		last = at
	}
	for _, m := range r.measures() {
		if m.Due {
			r.Triggers = append(r.Triggers, m.Name)
		}
	}
	return r
}

// Why returns the reasons of the triggers that fired.
func (r Reminder) Why() []string {
	var all []string
	for _, m := range r.measures() {
		if m.Due {
			all = append(all, m.reason)
		}
	}
	return all
}

// aboutDecision matches commit messages about a decision.
var aboutDecision = text.Regexp(`(?i)\b(decid(e|es|ed|ing)|decisions?|ch(oo|o)se|chosen|opt(s|ed)? for|in favou?r of|` +
	`instead of|rather than|switch(es|ed)? (over )?to|migrat(e|es|ed|ing) to|adopt(s|ed|ing)?|deprecat(e|es|ed)|` +
	`supersed(e|es|ed)|breaking change)\b|^\w+(\([^)]*\))?!:`)

// decisionIn returns the first line of the newest message about a decision.
func decisionIn(messages []string) string {
	for _, message := range slices.Backward(messages) {
		message = strings.TrimSpace(message)
		if aboutDecision.MatchString(message) {
			return cmp.Or(text.FirstLine(message), message)
		}
	}
	return ""
}

// Trigger is an event after which a delta is due.
type Trigger string

// The triggers that the traces of work show, the most urgent first.
const (
	OnPhase    Trigger = "phase"    // the phase changed
	OnDecision Trigger = "decision" // a commit message is about a decision
	OnTask     Trigger = "task"     // next actions were done
	OnLimit    Trigger = "limit"    // the last edit is long after the last delta
	OnWork     Trigger = "work"     // there was much work
	OnFiles    Trigger = "files"    // many files changed
)

// named has the triggers that leave no traces. The writer of a delta names them, as `ckpt delta
// --trigger NAME`; hooks and plans do, too.
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

// TriggerState is a trigger and how close it is to firing.
type TriggerState struct {
	Name   Trigger     `json:"name"`             // the name, as for delta --trigger
	Means  string      `json:"means,omitempty"`  // what it is, in words
	Seen   bool        `json:"seen"`             // the traces of work show it; other triggers are named with a delta
	Off    bool        `json:"off"`              // disabled by the policy
	Due    bool        `json:"due"`              // it fired
	Limit  int         `json:"limit,omitempty"`  // the threshold, in seconds or as a number; 0 if it has none
	So     int         `json:"so_far,omitempty"` // the measured value
	SoFar  string      `json:"-"`                // the measured value in words
	LastAt result.Time `json:"last,omitzero"`    // the time of the last delta that names it; zero if none does

	reason string // why a delta is due
}

// TriggerNames returns the names of the triggers that ckpt knows.
func TriggerNames() []string {
	var all []string
	for _, e := range append(Reminder{}.measures(), named...) {
		all = append(all, string(e.Name))
	}
	return all
}

// List returns every trigger: those that ckpt detects, the most urgent first, those that are named,
// and others that deltas name. Last has the time at which a delta last named each of them.
func (r Reminder) List(last map[Trigger]time.Time) []TriggerState {
	all := append(r.measures(), named...)
	for _, name := range slices.Sorted(maps.Keys(last)) {
		if !slices.ContainsFunc(all, func(e TriggerState) bool { return e.Name == name }) {
			all = append(all, TriggerState{Name: name})
		}
	}
	for i := range all {
		all[i].LastAt = result.At(last[all[i].Name])
	}
	return all
}

// measures returns the triggers that ckpt detects, the most urgent first.
func (r Reminder) measures() []TriggerState {
	phase := fmt.Sprintf("the phase is %q, at the last delta it was %q", r.Phase, r.WasPhase)
	if r.WasPhase == "" {
		phase = fmt.Sprintf("the phase is %q, at the last delta it had none", r.Phase)
	}
	measured := func(name Trigger, limit, so int, means, off, soFar, reason string) TriggerState {
		if limit == 0 {
			means = off
		}
		return TriggerState{
			Name: name, Means: means, Seen: true, Off: limit == 0, Limit: limit, So: so, SoFar: soFar,
			Due: limit > 0 && so >= limit, reason: reason,
		}
	}
	p := r.Policy
	tasks, files := text.Count(r.Tasks, "task"), text.Count(r.Files, "file")
	reach, worked := Minutes(r.Reach), Minutes(r.Worked)
	return []TriggerState{
		{
			Name: OnPhase, Means: "the phase is not that of the last delta", Seen: true, Due: r.WasPhase != r.Phase,
			reason: phase,
		},
		{
			Name: OnDecision, Means: "a commit tells of a decision, and no note does", Seen: true, Due: r.Decision != "",
			reason: fmt.Sprintf("a commit tells of a decision: %q", r.Decision),
		},
		measured(OnTask, p.Tasks, r.Tasks, text.Count(p.Tasks, "next action")+" done or steps noted",
			"next actions done or steps noted", tasks, tasks+" done"),
		measured(OnLimit, seconds(p.Limit), seconds(r.Reach), "the last edit "+Minutes(p.Limit)+" behind the last delta",
			"the last edit long behind the last delta", reach, "the last edit is "+reach+" behind the last delta"),
		measured(OnWork, seconds(p.Work), seconds(r.Worked), Minutes(p.Work)+" of work",
			"minutes of work", worked, worked+" of work"),
		measured(OnFiles, p.Files, r.Files, text.Count(p.Files, "file")+" changed",
			"files changed", files, files+" changed"),
	}
}

func seconds(d time.Duration) int { return int(d.Seconds()) }

// Minutes returns a duration in words: "20 minutes", "3 hours".
func Minutes(d time.Duration) string {
	if d < 2*time.Hour {
		return text.Count(int(d.Minutes()), "minute")
	}
	return text.Count(int(d.Hours()), "hour")
}
