package wire

import (
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/token"
)

// Brief is the answer of `ckpt resume`; its id is empty where there is nothing to
// resume.
type Brief struct {
	Head
	ID        string       `json:"id"`
	Path      string       `json:"path,omitempty"`
	Status    string       `json:"status,omitempty"`
	Parent    string       `json:"parent,omitempty"`
	Anchor    string       `json:"anchor,omitempty"`
	Created   string       `json:"created,omitempty"`
	LastDelta string       `json:"last_delta,omitempty"`
	ChangedBy string       `json:"changed_by,omitempty"` // who changed it last, where that is somebody else
	Next      string       `json:"next,omitempty"`
	Facts     string       `json:"facts,omitempty"`
	Work      string       `json:"work,omitempty"`     // that no delta mentions
	Commands  string       `json:"commands,omitempty"` // of the moment, in Markdown
	Mark      *result.Mark `json:"mark,omitempty"`     // an exploration under way
	Parts     []Part       `json:"parts"`
	Warnings  []string     `json:"warnings,omitempty"`
	New       bool         `json:"new,omitempty"` // only what the session has not read
	Size      *BriefSize   `json:"size,omitempty"`
	Limit     *BriefSize   `json:"limit,omitempty"`
	Complete  bool         `json:"complete"`
	Needs     *BriefSize   `json:"needs,omitempty"` // to be complete, where it is not
}

// BriefSize is how large the brief is as text, or may be. Tokens are estimated.
type BriefSize struct {
	Tokens int `json:"tokens,omitempty"`
	Bytes  int `json:"bytes,omitempty"`
}

// Part is one section of a brief.
type Part struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Tier   string `json:"tier"`
	State  string `json:"state"` // kept, compressed, dropped
	Text   string `json:"text"`  // that is shown
	Tokens int    `json:"tokens"`
	Items  int    `json:"items"` // whole entries, rows and paragraphs that are shown
	Of     int    `json:"of"`
	Reason string `json:"reason"`
}

// FromBrief is the answer that holds a brief; nil is the one where there is
// nothing to resume.
func FromBrief(r *brief.Rendering) Brief {
	w := Brief{Head: head("brief"), Parts: []Part{}, Complete: true}
	if r == nil {
		return w
	}
	b := r.Brief
	w.ID, w.Path, w.Status, w.Parent, w.Anchor, w.Next, w.Warnings = b.ID, b.Path, b.Status, b.Parent, b.Anchor, b.Next, b.Warnings
	w.Created, w.LastDelta, w.Facts, w.New, w.Complete = stamp(b.Created), stamp(b.LastDelta), b.Facts.Full(), b.News, r.Complete
	w.ChangedBy, w.Work, w.Commands = b.ChangedBy, b.Work.Full(), b.Commands()
	if b.Mark != nil {
		w.Mark = &result.Mark{Goal: b.Mark.Goal, At: result.At(b.Mark.At)}
	}
	w.Size = &BriefSize{token.Estimate(r.Text), len(r.Text)}
	if !r.Limit.None() {
		w.Limit = &BriefSize{r.Limit.Tokens, r.Limit.Bytes}
	}
	if !r.Complete {
		w.Needs = &BriefSize{r.Needs.Tokens, r.Needs.Bytes}
	}
	for _, s := range r.Shown {
		w.Parts = append(w.Parts, Part{s.Name, s.Title, s.Tier.String(), string(s.State), s.Text, token.Estimate(s.Text), s.Items, s.Of, s.Why})
	}
	return w
}
