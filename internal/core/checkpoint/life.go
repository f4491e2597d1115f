package checkpoint

import (
	"strings"
	"time"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// Spec is what a new checkpoint is made of. Empty sections get a comment that
// says what belongs there.
type Spec struct {
	ID        string
	Fields    map[string]string // frontmatter besides checkpoint and created
	Problem   string
	Intent    string
	Decisions []string // bullets; or, for a fork, LiveText
	LiveText  string   // Markdown copied from a parent's Decisions
	Context   []string
	Copied    string // Markdown copied from a parent's Technical Context
	Steps     []string
	State     string
	Next      []string
	Rules     []string
	RulesText string // Markdown copied from a parent's User Rules
}

// New is a checkpoint file with every required section.
func New(s Spec, now time.Time) (*Checkpoint, error) {
	if err := CheckID(s.ID); err != nil {
		return nil, fault.New(fault.Usage, "%w", err)
	}
	var b strings.Builder
	b.WriteString("---\n")
	for _, key := range fieldOrder {
		value := s.Fields[key]
		switch key {
		case "checkpoint":
			value = s.ID
		case "created":
			value = FormatTime(now)
		}
		if value != "" {
			b.WriteString(key + ": " + doc.Scalar(value) + "\n")
		}
	}
	b.WriteString("---\n")
	said := map[Kind]string{
		Problem:    doc.Literal(s.Problem),
		Intent:     doc.Literal(s.Intent),
		Decisions:  join(s.LiveText, bulletList("-", s.Decisions)),
		Context:    join(s.Copied, bulletList("-", s.Context)),
		PlayByPlay: bulletList("-", s.Steps),
		State:      doc.Literal(s.State),
		Next:       bulletList("1.", s.Next),
		Rules:      join(s.RulesText, bulletList("-", s.Rules)),
	}
	for _, k := range Kinds() {
		t := k.Template()
		text := said[k]
		if text == "" && t.Required {
			text = guide(k)
		}
		if text == "" && k != Essential {
			continue
		}
		b.WriteString("\n" + strings.Repeat("#", t.Level) + " " + t.Title + "\n")
		if text != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	return Parse("active/"+s.ID+".md", []byte(b.String()))
}

// join puts copied Markdown before a list, as one list where the copy ends in one.
func join(copied, list string) string {
	if copied == "" || list == "" {
		return copied + list
	}
	last := copied[strings.LastIndexByte(copied, '\n')+1:]
	if strings.HasPrefix(last, "- ") || strings.HasPrefix(last, "  ") {
		return copied + "\n" + list
	}
	return copied + "\n\n" + list
}

// AppendDelta puts a delta behind the last one, brings last_delta up to its time
// and keeps a Completion last.
func (r *Revision) AppendDelta(d Delta, extra string) *Revision {
	text := d.write()
	if extra != "" {
		text += "\n" + strings.TrimSpace(extra) + "\n"
	}
	at := len(r.c.Doc.Bytes())
	head := "\n---\n\n"
	if p, ok := r.c.Find(Completion); ok {
		at = r.c.separator(p.Section.Heading.Start)
		r.edits = append(r.edits, sections(r.c, at, strings.TrimPrefix(head, "\n")+text+"\n"))
		return r.Set("last_delta", FormatTime(d.At))
	}
	if strings.HasSuffix(string(r.c.Doc.Bytes()), "\n\n") || strings.HasSuffix(string(r.c.Doc.Bytes()), "\n\r\n") {
		head = strings.TrimPrefix(head, "\n")
	}
	r.edits = append(r.edits, sections(r.c, at, head+text))
	return r.Set("last_delta", FormatTime(d.At))
}

func sections(c *Checkpoint, at int, text string) doc.Edit {
	s := doc.Span{Start: at, End: at}
	return doc.ReplaceSections(s, c.lines(s, text))
}

// SetStatus writes whether the checkpoint is the current one. An active one that
// says nothing of its status stays as it is.
func (r *Revision) SetStatus(s Status) *Revision {
	if _, ok := r.c.Doc.Front.Get("status"); s == Active && !ok {
		return r
	}
	return r.Set("status", string(s))
}

// Archive gives the file that archive/ is to hold: with a Completion, without a
// status. A Completion that is written already is kept, and what it lacks is
// added. Outcome may be empty only then.
func (c *Checkpoint) Archive(outcome string, learnings []string, now time.Time) (*Checkpoint, error) {
	r := c.Revise().Drop("status")
	p, written := c.Find(Completion)
	if !written {
		if strings.TrimSpace(outcome) == "" {
			return nil, fault.New(fault.Usage, "%s has no Completion yet: say how it ended", c.ID).WithHint("ckpt archive %s --outcome TEXT", c.ID)
		}
		text := "\n---\n\n## Completion\n\n" + completionFields(nil, outcome, learnings, now)
		r.edits = append(r.edits, sections(c, len(c.Doc.Bytes()), text))
	} else {
		have := c.completion(p)
		if len(have["outcome"]) > 0 && outcome != "" && oneField(outcome) != strings.Join(have["outcome"], " ") {
			return nil, fault.New(fault.Usage, "the Completion of %s has an outcome already", c.ID).WithHint("ckpt archive %s, or ckpt edit %s", c.ID, c.ID)
		}
		if fields := completionFields(have, outcome, learnings, now); fields != "" {
			r.edits = append(r.edits, c.completionEdit(p, fields))
		}
	}
	done, err := r.Apply()
	if err != nil {
		return nil, err
	}
	done.Path = "archive/" + c.Path[strings.LastIndexByte(c.Path, '/')+1:]
	return done, nil
}

// Reopen gives the file that active/ is to hold: without a Completion, active.
func (c *Checkpoint) Reopen() (*Checkpoint, error) {
	r := c.Revise().Set("status", string(Active))
	if p, ok := c.Find(Completion); ok {
		s := doc.Span{Start: c.separator(p.Section.Heading.Start), End: p.Extent.End}
		src := c.Doc.Bytes()
		if s.Start < p.Section.Heading.Start { // ours: undo exactly what Archive put in
			s.Start = blankBefore(src, s.Start)
		}
		if s.End == len(src) && s.End > 0 && src[s.End-1] != '\n' && s.Start > 0 { // the file had no last line break
			s.Start = breakBefore(src, s.Start)
		}
		r.edits = append(r.edits, doc.ReplaceSections(s, ""))
	}
	open, err := r.Apply()
	if err != nil {
		return nil, err
	}
	open.Path = "active/" + c.Path[strings.LastIndexByte(c.Path, '/')+1:]
	return open, nil
}

// blankBefore is the start of the blank line before an offset, else the offset.
func blankBefore(src []byte, at int) int {
	if b := breakBefore(src, at); b > 0 && b < at && src[b-1] == '\n' {
		return b
	}
	return at
}

// breakBefore is the start of the line break that ends at an offset, else the offset.
func breakBefore(src []byte, at int) int {
	if at == 0 || src[at-1] != '\n' {
		return at
	}
	if at > 1 && src[at-2] == '\r' {
		return at - 2
	}
	return at - 1
}
