package wire

import (
	"encoding/json"

	"example.com/ckpt/internal/plan"
)

// PlanNext is the answer of `ckpt plan next`.
type PlanNext struct {
	Head
	ID       string     `json:"id,omitempty"` // empty where the run has not begun
	Plan     string     `json:"plan"`
	State    string     `json:"state"` // ready, running, complete
	Done     int        `json:"done"`
	Total    int        `json:"total"`
	Step     *PlanStep  `json:"step"` // null where none can be begun
	Running  []int      `json:"running"`
	Steps    []PlanStep `json:"steps"`
	Warnings []string   `json:"warnings,omitempty"`
}

// PlanStep is a step of a plan.
type PlanStep struct {
	ID           string            `json:"id"`
	Number       int               `json:"number"`
	Description  string            `json:"description"`
	Status       string            `json:"status"`
	Dependencies []string          `json:"dependencies"`
	At           string            `json:"at,omitempty"`
	DurationMS   int64             `json:"duration_ms,omitempty"`
	Tokens       int               `json:"tokens,omitempty"`
	Message      string            `json:"message,omitempty"`
	Action       any               `json:"action,omitempty"` // a text or a list
	Parameters   json.RawMessage   `json:"parameters,omitempty"`
	Env          map[string]string `json:"env,omitempty"`
	Dir          string            `json:"dir,omitempty"`
	TimeoutMS    int64             `json:"timeout_ms,omitempty"`
	Retries      int               `json:"retries,omitempty"`
}

// FromUpcoming is the answer that holds what is next.
func FromUpcoming(u *plan.Upcoming) PlanNext {
	w := PlanNext{Head: head("plan-next"), ID: u.Run.ID, Plan: u.Run.File, State: u.State(), Done: u.Run.Done(), Total: len(u.Run.Steps), Running: append([]int{}, u.Running...)}
	for i := range u.Run.Steps {
		s := &u.Run.Steps[i]
		w.Steps = append(w.Steps, PlanStep{ID: s.ID, Number: i + 1, Description: s.Title, Status: string(s.Status), Dependencies: list(s.Needs),
			At: stamp(s.At), DurationMS: s.Took.Milliseconds(), Tokens: s.Tokens, Message: s.Remark})
	}
	if u.Number > 0 {
		step := w.Steps[u.Number-1]
		w.Step = &step
		if u.Step != nil {
			step.define(u.Step)
		}
	}
	if u.Remark != "" {
		w.Warnings = []string{u.Remark}
	}
	return w
}

// define adds what the plan file says of a step.
func (w *PlanStep) define(s *plan.Step) {
	if s.Shell != "" {
		w.Action = s.Shell
	} else if len(s.Args) > 0 {
		w.Action = s.Args
	}
	if s.Parameters != "" {
		w.Parameters = json.RawMessage(s.Parameters)
	}
	w.Env, w.Dir, w.TimeoutMS, w.Retries = s.Env, s.Dir, s.Timeout.Milliseconds(), s.Retries
}
