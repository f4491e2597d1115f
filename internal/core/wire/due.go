package wire

import "example.com/ckpt/internal/core/due"

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
	Commits  int       `json:"commits"`            // own ones, of more than checkpoints
	Decision string    `json:"decision,omitempty"` // the first line of the commit that tells of one
	Phase    string    `json:"phase,omitempty"`
	WasPhase string    `json:"was_phase,omitempty"` // at the last delta
	Limits   DueLimits `json:"limits"`
}

// DueLimits is when the triggers fire; 0 where one is off.
type DueLimits struct {
	Work  int `json:"work"`
	Limit int `json:"limit"`
	Pause int `json:"pause"`
	Files int `json:"files"`
}

// FromDue is the answer that says whether a delta is due.
func FromDue(a due.Answer) Due {
	w := Due{
		Head: head("due"), ID: a.ID, Due: a.Due(), Triggers: []string{}, Since: stamp(a.Since),
		Worked: int(a.Worked.Seconds()), Reach: int(a.Reach.Seconds()), Files: a.Files, Commits: a.Commits, Decision: a.Decision,
		Phase: a.Phase, WasPhase: a.WasPhase,
		Limits: DueLimits{int(a.Policy.Work.Seconds()), int(a.Policy.Limit.Seconds()), int(a.Policy.Pause.Seconds()), a.Policy.Files},
	}
	for _, t := range a.Triggers {
		w.Triggers = append(w.Triggers, string(t))
	}
	if a.Due() {
		w.Trigger = w.Triggers[0]
	}
	return w
}
