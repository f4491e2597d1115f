package wire

import (
	"path"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
)

// Prune is the answer of `ckpt prune`.
type Prune struct {
	Head
	Policy      Policy       `json:"policy"`
	Pruned      int          `json:"pruned"`
	Kept        int          `json:"kept"`
	Checkpoints []Verdict    `json:"checkpoints"` // the newest first
	Unreadable  []Unreadable `json:"unreadable,omitempty"`
}

// Policy is how much is kept; what it does not name has no limit.
type Policy struct {
	MaxAge         string `json:"max_age,omitempty"`
	MaxPerWorkflow int    `json:"max_per_workflow,omitempty"`
	MaxPerSession  int    `json:"max_per_session,omitempty"`
	Daily          int    `json:"daily,omitempty"`
}

// Verdict is what would become of one checkpoint.
type Verdict struct {
	ID       string `json:"id"`
	Path     string `json:"path"`
	Status   string `json:"status"`
	Workflow string `json:"workflow,omitempty"`
	Session  string `json:"session,omitempty"`
	Changed  string `json:"changed,omitempty"`
	Action   string `json:"action"` // keep, prune
	Rule     string `json:"rule"`
	Reason   string `json:"reason"`
}

// FromPlan is the answer that says what would be pruned.
func FromPlan(plan *policy.Pruning, unread []checkpoint.Broken, folder string) Prune {
	p := plan.Limits
	w := Prune{Head: head("prune"), Policy: Policy{"", p.MaxPerWorkflow, p.MaxPerSession, p.Daily}, Checkpoints: []Verdict{}}
	if p.MaxAge > 0 {
		w.Policy.MaxAge = text.FormatAge(p.MaxAge)
	}
	for _, v := range plan.Verdicts {
		action := "keep"
		if v.Keep {
			w.Kept++
		} else {
			action = "prune"
			w.Pruned++
		}
		w.Checkpoints = append(w.Checkpoints, Verdict{
			v.ID, path.Join(folder, v.Path), v.Status, v.Workflow, v.Session, stamp(v.Changed), action, string(v.Rule), v.Why,
		})
	}
	for _, b := range unread {
		w.Unreadable = append(w.Unreadable, Unreadable{path.Join(folder, b.Path), b.Err.Error()})
	}
	return w
}
