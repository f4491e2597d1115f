package wire

import "example.com/ckpt/internal/policy"

// Due is the answer of `ckpt status --due`. Times are in seconds.
type Due struct {
	Head
	ID       string    `json:"id,omitempty"` // of the current checkpoint; none where nothing is
	Due      bool      `json:"due"`
	Trigger  string    `json:"trigger,omitempty"` // the most pressing one
	Triggers []string  `json:"triggers"`
	Since    string    `json:"since,omitempty"`    // the last delta, or the creation
	Worked   int       `json:"worked"`             // as far as edits and commits show it
	Reach    int       `json:"reach"`              // from the last delta to the last edit
	Files    int       `json:"files"`              // changed
	Tasks    int       `json:"tasks"`              // next actions done and steps noted
	Commits  int       `json:"commits"`            // own ones, of more than checkpoints
	Decision string    `json:"decision,omitempty"` // the first line of the commit that tells of one
	Phase    string    `json:"phase,omitempty"`
	WasPhase string    `json:"was_phase,omitempty"` // at the last delta
	Limits   DueLimits `json:"limits"`

	Unrecorded string `json:"unrecorded,omitempty"` // what other sessions did without a delta, in one line
}

// DueLimits is when the triggers fire; 0 where one is off.
type DueLimits struct {
	Work  int `json:"work"`
	Limit int `json:"limit"`
	Pause int `json:"pause"`
	Files int `json:"files"`
	Tasks int `json:"tasks"`
}

// FromDue is the answer that says whether a delta is due.
func FromDue(a policy.Reminder) Due {
	w := Due{
		Head: head("due"), ID: a.ID, Due: a.Due(), Triggers: []string{}, Since: stamp(a.Since),
		Worked: int(a.Worked.Seconds()), Reach: int(a.Reach.Seconds()), Files: a.Files, Tasks: a.Tasks, Commits: a.Commits, Decision: a.Decision,
		Phase: a.Phase, WasPhase: a.WasPhase, Unrecorded: a.Unrecorded,
		Limits: DueLimits{int(a.Policy.Work.Seconds()), int(a.Policy.Limit.Seconds()), int(a.Policy.Pause.Seconds()), a.Policy.Files, a.Policy.Tasks},
	}
	for _, t := range a.Triggers {
		w.Triggers = append(w.Triggers, string(t))
	}
	if a.Due() {
		w.Trigger = w.Triggers[0]
	}
	return w
}

// Triggers is the answer of `ckpt status --due --list`.
type Triggers struct {
	Head
	ID       string    `json:"id,omitempty"` // of the current checkpoint; none where nothing is
	Phase    string    `json:"phase,omitempty"`
	Since    string    `json:"since,omitempty"`
	Triggers []Trigger `json:"triggers"`
}

// Trigger is one of them. Limit and so_far are seconds for limit and work, else numbers.
type Trigger struct {
	Name  string `json:"name"`
	Means string `json:"means,omitempty"`
	Seen  bool   `json:"seen"` // by ckpt, in the traces of work; the others are named
	Off   bool   `json:"off"`
	Due   bool   `json:"due"`
	Limit int    `json:"limit,omitempty"`
	SoFar int    `json:"so_far,omitempty"`
	Last  string `json:"last,omitempty"` // when a delta last named it
}

// FromTriggers is the answer that lists triggers.
func FromTriggers(a policy.Reminder, all []policy.TriggerState) Triggers {
	w := Triggers{Head: head("triggers"), ID: a.ID, Phase: a.Phase, Since: stamp(a.Since)}
	for _, e := range all {
		w.Triggers = append(w.Triggers, Trigger{string(e.Name), e.Means, e.Seen, e.Off, e.Due, e.Limit, e.So, stamp(e.LastAt)})
	}
	return w
}
