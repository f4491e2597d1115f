package policy

import (
	"cmp"
	"fmt"
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

// Traces shows how much work was done since the last delta.
type Traces struct {
	Since   time.Time   `json:"-"`       // the time of the last delta, or of the creation
	Edits   []time.Time `json:"-"`       // when changed files were last edited, and when the user committed
	Files   int         `json:"files"`   // how many files changed
	Tasks   int         `json:"tasks"`   // how many next actions were done and steps were noted
	Commits int         `json:"commits"` // how many of the user's commits changed files other than checkpoints
	// Messages has the messages of these commits, oldest first, without those before the last recorded decision.
	Messages []string `json:"-"`
	WasPhase string   `json:"was_phase,omitempty"` // the phase at the last delta
	Phase    string   `json:"phase,omitempty"`
}

// absence is a factor: a gap longer than this many times the limit counts as absence. A shorter gap
// may be work, since only the last save of a file is known.
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
	for _, f := range r.fired() {
		r.Triggers = append(r.Triggers, f.name)
	}
	return r
}

// Why returns the reasons of the triggers that fired.
func (r Reminder) Why() []string {
	var all []string
	for _, f := range r.fired() {
		all = append(all, f.why)
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
		if aboutDecision.Get().MatchString(message) {
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
	OnTask     Trigger = "task"     // next actions were done, or steps noted
	OnLimit    Trigger = "limit"    // the last edit is long after the last delta
	OnWork     Trigger = "work"     // there was much work
	OnFiles    Trigger = "files"    // many files changed
)

// TriggerNames returns the words for `ckpt delta --trigger`: the triggers above, and those that leave
// no traces, which only the writer of a delta, a hook or a plan can name.
func TriggerNames() []string {
	return []string{
		string(OnPhase), string(OnDecision), string(OnTask), string(OnLimit), string(OnWork), string(OnFiles),
		"shift",       // when the work turns to something else
		"long",        // before a long operation
		"risk",        // before a change that is hard to undo
		"handoff",     // before another agent or person continues
		"session",     // before the session ends
		"request",     // when the user asks for it, or for a pause
		"source",      // after a source was read, in research
		"section",     // after a section of a text was written
		"component",   // after a component was understood, in an analysis
		"pre-compact", // before the agent's context is compacted
		"recovered",   // after a session ended without a delta
		"auto",        // after a step of a plan is done
		"error",       // after a step of a plan has failed
	}
}

// fired is a trigger with its reason. It fired if due is true.
type fired struct {
	name Trigger
	due  bool
	why  string
}

// fired returns the triggers that fired, the most urgent first.
func (r Reminder) fired() []fired {
	was := fmt.Sprintf("it was %q", r.WasPhase)
	if r.WasPhase == "" {
		was = "it had none"
	}
	p := r.Policy
	all := []fired{
		{OnPhase, r.WasPhase != r.Phase, fmt.Sprintf("the phase is %q, at the last delta %s", r.Phase, was)},
		{OnDecision, r.Decision != "", fmt.Sprintf("a commit tells of a decision: %q", r.Decision)},
		{OnTask, p.Tasks > 0 && r.Tasks >= p.Tasks, text.Count(r.Tasks, "task") + " done"},
		{OnLimit, p.Limit > 0 && r.Reach >= p.Limit, "the last edit is " + Minutes(r.Reach) + " behind the last delta"},
		{OnWork, p.Work > 0 && r.Worked >= p.Work, Minutes(r.Worked) + " of work"},
		{OnFiles, p.Files > 0 && r.Files >= p.Files, text.Count(r.Files, "file") + " changed"},
	}
	return slices.DeleteFunc(all, func(f fired) bool { return !f.due })
}

// Minutes returns a duration in words: "20 minutes", "3 hours".
func Minutes(d time.Duration) string {
	if d < 2*time.Hour {
		return text.Count(int(d.Minutes()), "minute")
	}
	return text.Count(int(d.Hours()), "hour")
}
