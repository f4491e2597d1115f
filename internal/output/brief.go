package output

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/token"
)

// Brief prints the brief as Markdown.
func Brief(p *Printer, r *brief.Rendering) {
	if r == nil {
		return
	}
	p.raw(r.Text)
	p.remark(r.Brief.Warnings...)
	if r.Log != "" {
		p.remark(r.Log)
	}
	if !r.Complete {
		why := "a message of the user has no room in any brief"
		if !r.Needs.None() {
			why = fmt.Sprintf("what must be kept needs %s, the limit is %s", r.Needs, r.Limit)
		}
		p.remark("the brief" + strings.TrimSuffix(" of "+r.Brief.ID, " of ") + " is incomplete: " + why)
		p.hint(r.Command())
	}
}

// briefJSON is the answer of `ckpt resume`. Its id is empty if nothing can be resumed.
type briefJSON struct {
	ID        string                   `json:"id"`
	Path      string                   `json:"path,omitempty"`
	Status    string                   `json:"status,omitempty"`
	Parent    string                   `json:"parent,omitempty"`
	Anchor    string                   `json:"anchor,omitempty"`
	Created   result.Time              `json:"created,omitzero"`
	LastDelta result.Time              `json:"last_delta,omitzero"`  // the time of the last delta
	ChangedBy string                   `json:"changed_by,omitempty"` // the last author, if that is another person
	Next      string                   `json:"next,omitempty"`       // the first next action
	Facts     string                   `json:"facts,omitempty"`      // what git knows and the file lacks, in Markdown
	Work      string                   `json:"work,omitempty"`       // the work of sessions that no delta mentions
	Commands  string                   `json:"commands,omitempty"`   // the commands for the next step, in Markdown
	Mark      *result.Mark             `json:"mark,omitempty"`       // the open mark
	Parts     result.List[brief.Shown] `json:"parts"`                // the sections, in the order of the brief
	Warnings  []string                 `json:"warnings,omitempty"`
	New       bool                     `json:"new,omitempty"`  // the brief has only what the session has not read
	Size      brief.Limit              `json:"size,omitzero"`  // the size of the brief
	Limit     brief.Limit              `json:"limit,omitzero"` // the limit that was given
	Complete  bool                     `json:"complete"`       // nothing that must be kept was left out, and the file could be read
	Needs     brief.Limit              `json:"needs,omitzero"` // the smallest limit for all that must be kept, if larger
}

func briefOf(r *brief.Rendering) briefJSON {
	if r == nil {
		return briefJSON{Complete: true}
	}
	b := r.Brief
	w := briefJSON{
		ID: b.ID, Path: b.Path, Status: b.Status, Parent: b.Parent, Anchor: b.Anchor, Created: result.At(b.Created),
		LastDelta: result.At(b.LastDelta),
		ChangedBy: b.ChangedBy, Next: b.Next, Facts: b.Facts.Full(), Work: b.Work.Full(), Commands: b.Commands(),
		Warnings: b.Warnings, New: b.News,
		Size: brief.Limit{Tokens: token.Estimate(r.Text), Bytes: len(r.Text)}, Limit: r.Limit,
		Complete: r.Complete && b.Moment.Replaces == "",
	}
	if b.Mark != nil {
		w.Mark = &result.Mark{Goal: b.Mark.Goal, At: result.At(b.Mark.At)}
	}
	if !r.Complete {
		w.Needs = r.Needs
	}
	for _, s := range r.Shown {
		s.Tokens = token.Estimate(s.Text)
		w.Parts = append(w.Parts, s)
	}
	return w
}
