package revise

import (
	"strings"
	"time"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// OpenMark appends a mark at the end of the file, but before a Completion. A file has at most one
// mark.
func (r *Revision) OpenMark(m checkpoint.Mark) *Revision {
	text := "\n---\n\n" + m.Opening()
	at := len(r.c.Doc.Bytes())
	if p, ok := r.c.Find(checkpoint.Completion); ok {
		at = r.c.Doc.RuleBefore(p.Section.Heading.Start)
	}
	r.edits = append(r.edits, insertSections(r.c, at, text+gapAfter(r.c, at, anyText)))
	return r
}

// Jot appends notes of a kind to the scratch of a mark.
func (r *Revision) Jot(m checkpoint.Mark, kind string, texts ...string) *Revision {
	notes := make([]string, len(texts))
	for i, text := range texts {
		notes[i] = kind + ": " + strings.TrimSpace(text)
	}
	note := bulletList("-", notes)
	if n := utf8.RuneCountInString(m.Scratch) + utf8.RuneCountInString(note); n > checkpoint.MaxScratch {
		r.fail(fault.New(fault.Usage, "the scratch of %s would have %d characters (at most %d)", r.c.ID, n,
			checkpoint.MaxScratch).
			WithHint("ckpt rewind REPORT"))
		return r
	}
	blocks := r.c.Doc.Blocks(m.Body)
	at := max(r.c.Doc.Content(m.Body).End, m.Body.Start)
	if n := len(blocks); n == 0 || blocks[n-1].Kind != doc.List || blocks[n-1].Span.End < at {
		note = "\n" + note
	}
	r.edits = append(r.edits, insertLines(r.c, at, note+"\n"))
	return r
}

// DropMark removes a mark and what OpenMark added around it. All other bytes stay.
func (r *Revision) DropMark(m checkpoint.Mark) *Revision {
	src := r.c.Doc.Bytes()
	s := doc.Span{Start: blankBefore(src, r.c.Doc.RuleBefore(m.Section.Heading.Start), r.c.Doc.EOL()), End: m.Body.End}
	text := ""
	if s.End < len(src) {
		text = gapBefore(r.c, s.Start)
	} else if src[s.End-1] != '\n' { // before OpenMark the file had no last line break
		s.Start = breakBefore(src, s.Start, r.c.Doc.EOL())
	}
	r.edits = append(r.edits, doc.ReplaceSections(s, text))
	return r
}

// Report appends the findings of an exploration as a delta that names its goal.
func (r *Revision) Report(goal, report string, now time.Time) *Revision {
	goal = strings.Join(strings.Fields(goal), " ")
	r.Drop("trigger") // the trigger of the previous delta
	explored := checkpoint.Transition{Item: goal, Before: "explored", After: checkpoint.Reported}
	return r.AppendDelta(checkpoint.Delta{At: now, Changed: report, Transitions: []checkpoint.Transition{explored}}, "")
}
