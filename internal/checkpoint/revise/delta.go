package revise

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// deltaText returns a delta as a section of the format.
func deltaText(d checkpoint.Delta) string {
	var b strings.Builder
	b.WriteString("## Delta: " + checkpoint.FormatTime(d.At) + "\n\n### What Changed\n\n" + doc.Literal(d.Changed) +
		"\n\n### Artifacts\n\n")
	b.WriteString(doc.TableRow("File", "Action", "Description") + "|------|--------|-------------|\n")
	for _, a := range d.Artifacts {
		b.WriteString(doc.TableRow(checkpoint.Code(a.File), a.Action, a.Change))
	}
	if len(d.Transitions) > 0 {
		b.WriteString("\n### Status Transitions\n\n" + doc.TableRow("Item", "Before", "After") +
			"|------|--------|-------|\n")
		for _, t := range d.Transitions {
			b.WriteString(doc.TableRow(t.Item, t.Before, t.After))
		}
	}
	return b.String()
}

// DropDeltas removes the headings of the deltas, and the subsections for which spent reports that
// their content was moved elsewhere. Other content of a delta stays where it is, byte for byte,
// below a heading that names the delta.
func (r *Revision) DropDeltas(spent func(part doc.Section) bool) *Revision {
	var cuts []doc.Span
	for _, d := range r.c.Deltas() {
		s := d.Section
		end := r.c.Doc.EndOf(s)
		left := slices.ContainsFunc(d.Parts, func(part doc.Section) bool { return !spent(part) })
		if !left && r.c.Doc.Content(d.Section.Body).Len() == 0 {
			cuts = append(cuts, doc.Span{Start: r.c.Doc.RuleBefore(s.Heading.Start), End: end})
			continue
		}
		title := "## " + checkpoint.Remnant + " " + cmp.Or(d.Stamp, "an unknown day")
		r.edits = append(r.edits, doc.ReplaceSections(s.Heading, title+"\n"))
		for _, part := range d.Parts {
			if spent(part) {
				cuts = append(cuts, doc.Span{Start: part.Heading.Start, End: min(part.Body.End, end)})
			}
		}
	}
	return r.cutAll(cuts)
}

// cutAll removes spans of whole lines.
func (r *Revision) cutAll(cuts []doc.Span) *Revision {
	for i, cut := range cuts {
		if i+1 < len(cuts) && cuts[i+1].Start <= cut.End { // the two spans touch
			cuts[i+1].Start = cut.Start
			continue
		}
		r.edits = append(r.edits, cutLines(r.c, cut))
	}
	return r
}

// cutLines removes whole lines. At the end of the file it also removes the blank line before them.
// If the file had no last line break, it still has none.
func cutLines(c *checkpoint.Checkpoint, s doc.Span) doc.Edit {
	src := c.Doc.Bytes()
	if s.End < len(src) {
		if next := src[s.End]; next != '\n' && next != '\r' {
			return doc.Replace(s, gapBefore(c, s.Start))
		}
		return doc.Replace(s, "")
	}
	s.Start = blankBefore(src, s.Start, c.Doc.EOL())
	if s.Len() > 0 && src[s.End-1] != '\n' {
		open := bytes.TrimRight(src[:s.Start], "\r\n")
		s.Start = max(len(open), c.Doc.Front.Span.End)
	}
	return doc.Replace(s, "")
}

// AppendDelta adds a delta after the last one and sets last_delta. A Completion stays last in the
// file. Extra is Markdown that is added to the delta.
func (r *Revision) AppendDelta(d checkpoint.Delta, extra string) *Revision {
	text := deltaText(d)
	extra = strings.TrimSpace(extra)
	if extra != "" {
		text += "\n" + doc.Below(2, extra) + "\n"
	}
	r.tail = append(r.tail, text)
	return r.Set("last_delta", checkpoint.FormatTime(d.At))
}

// Progress is the content of one delta, and the updates of other sections that go with it.
type Progress struct {
	Changed     string
	Artifacts   []checkpoint.Artifact
	Transitions []checkpoint.Transition
	Extra       string   // further sections of the delta, as Markdown
	Trigger     string   // the occasion: "phase", "pre-compact", or ""
	Decisions   []string // bullets for Decisions
	Rules       []string // bullets for User Rules
	Intent      string   // Markdown to append to the Session Intent
	Context     []string // bullets for Technical Context
	Done        []string // texts or numbers of next actions that are done
	Told        []string // finished work in free words, which may match no next action: see [Settle]
	State       string   // the new Current State; "" keeps the old one
	AddState    string   // a bullet to append to Current State if State is empty
	Next        []string // the new Next Actions; empty keeps the old ones
	AddNext     []string // entries to append to Next Actions
	NoNext      bool     // remove the old Next Actions even if Next is empty
}

// Texts returns the texts that were written by a person or an agent.
func (p Progress) Texts() []string {
	one := []string{p.Changed, p.Extra, p.Intent, p.State}
	return slices.Concat(one, p.Decisions, p.Rules, p.Context, p.Told, p.Next, p.AddNext)
}

// Record adds a progress to a revision: the delta, and the updates of other sections.
func (r *Revision) Record(p Progress, now time.Time) error {
	r.Append(checkpoint.Intent, p.Intent)
	r.AddNew(checkpoint.Decisions, p.Decisions)
	r.AddNew(checkpoint.Rules, p.Rules)
	r.AddNew(checkpoint.Context, p.Context)
	r.Bullet(checkpoint.PlayByPlay, p.Told...)
	for _, text := range p.Done {
		if _, err := r.Done(text); err != nil {
			return err
		}
	}
	if strings.TrimSpace(p.State) != "" {
		r.Text(checkpoint.State, p.State)
	} else {
		r.Bullet(checkpoint.State, p.AddState)
	}
	if p.NoNext || strings.TrimSpace(strings.Join(p.Next, "")) != "" {
		r.Renew(slices.Concat(p.Next, p.AddNext))
	} else {
		r.Bullet(checkpoint.Next, p.AddNext...)
	}
	if p.Trigger != "" {
		r.Set("trigger", p.Trigger)
	}
	d := checkpoint.Delta{At: now, Changed: p.Changed, Artifacts: p.Artifacts, Transitions: p.Transitions}
	r.AppendDelta(d, p.Extra)
	return nil
}

// AddNew appends the entries that a section does not have yet: a writer of deltas often repeats
// entries of the previous one. A decision that is struck out in entries is struck out in the section.
func (r *Revision) AddNew(k checkpoint.Kind, entries []string) {
	have := map[string]bool{}
	p, _ := r.c.Find(k)
	asides := r.c.Asides(k)
	for _, item := range r.c.Doc.Items(p.Extent) {
		if _, aside := checkpoint.AsideOf(asides, item.Span); !aside {
			have[item.Text] = true
		}
	}
	for _, text := range entries {
		if !have[doc.Literal(text)] && !(k == checkpoint.Decisions && r.supersede(text)) {
			r.Bullet(k, text)
		}
	}
}

// Settle returns p with some entries of Told moved to Done, without their checkbox: those that match a
// next action of c or are numbers. Record adds the entries that stay in Told to Play-By-Play.
func Settle(c *checkpoint.Checkpoint, p Progress) Progress {
	told := p.Told
	p.Done, p.Told = slices.Clone(p.Done), nil
	for _, text := range told {
		bare, _ := checkpoint.CutCheckbox(text)
		_, err := pickAction(c, bare)
		_, numbered := ActionNumber(bare)
		if fault.KindOf(err) == fault.NotFound && !numbered {
			p.Told = append(p.Told, text)
		} else {
			p.Done = append(p.Done, bare)
		}
	}
	return p
}
