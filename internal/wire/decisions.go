package wire

import (
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/revisions"
)

// Decisions is the answer of `ckpt decisions`. What history tells is there where it
// was asked for.
type Decisions struct {
	Head
	ID        string            `json:"id"`
	Path      string            `json:"path"`
	Live      int               `json:"live"`
	Decisions []DecisionMade    `json:"decisions"`
	Verified  *DecisionsChecked `json:"verified,omitempty"`
	Warnings  []string          `json:"warnings,omitempty"`
}

// DecisionMade is a decision and who made it.
type DecisionMade struct {
	What     string  `json:"what"`
	Why      string  `json:"why,omitempty"`
	Live     bool    `json:"live"`
	Aside    string  `json:"aside,omitempty"` // the subheading it is below, if that says it is not decided
	Line     int     `json:"line"`
	Made     *Event  `json:"made,omitempty"`
	Reworded []Event `json:"reworded,omitempty"`
	Struck   *Event  `json:"struck,omitempty"`
}

// DecisionsChecked says whether a decision ever vanished.
type DecisionsChecked struct {
	OK       bool           `json:"ok"`
	Versions int            `json:"versions"` // how many were compared
	Lost     int            `json:"lost"`
	Losses   []DecisionLost `json:"losses"`
}

// DecisionLost is a decision that a commit took out.
type DecisionLost struct {
	What   string `json:"what"`
	Why    string `json:"why,omitempty"`
	Made   *Event `json:"made,omitempty"`
	In     *Event `json:"in,omitempty"` // absent: in edits that are not committed
	Back   *Event `json:"back,omitempty"`
	Fails  bool   `json:"fails"`
	Reason string `json:"reason"` // lost, undone, struck
}

// Event is a commit that did something.
type Event struct {
	Commit  string `json:"commit"`
	Time    string `json:"time"`
	Author  string `json:"author"`
	Email   string `json:"email"`
	Subject string `json:"subject"`
	Op      string `json:"op,omitempty"`
	Pending string `json:"pending,omitempty"`
}

// FromDecisions is the answer that holds decisions.
func FromDecisions(r *decisions.Record, folder string, verified bool) Decisions {
	w := Decisions{Head: head("decisions"), ID: r.ID, Path: folder + "/" + r.Path, Live: r.Live(), Decisions: []DecisionMade{}, Warnings: r.Warnings}
	for _, d := range r.Decisions {
		made := DecisionMade{What: d.What, Why: d.Why, Live: d.Live(), Aside: d.Aside, Line: d.Line, Made: event(&d.Made), Struck: event(d.Struck)}
		for _, e := range d.Reworded {
			if e := event(&e); e != nil {
				made.Reworded = append(made.Reworded, *e)
			}
		}
		w.Decisions = append(w.Decisions, made)
	}
	if !verified {
		return w
	}
	w.Verified = &DecisionsChecked{OK: r.Lost() == 0, Versions: r.Checked, Lost: r.Lost(), Losses: []DecisionLost{}}
	for _, l := range r.Losses {
		w.Verified.Losses = append(w.Verified.Losses, lost(l.Decision, l))
	}
	return w
}

func lost(d checkpoint.Decision, l decisions.Loss) DecisionLost {
	w := DecisionLost{What: d.What, Why: d.Why, Made: event(&l.Made), In: event(&l.In), Back: event(l.Back), Fails: l.Fails(), Reason: "lost"}
	switch {
	case l.Undone:
		w.Reason = "undone"
	case l.WasGone:
		w.Reason = "struck"
	}
	return w
}

// event is nil for what no commit holds.
func event(v *revisions.Version) *Event {
	if v == nil || v.Commit == "" {
		return nil
	}
	return &Event{v.Commit, stamp(v.Time), v.Author, v.Email, v.Subject, v.Op, v.Pending}
}
