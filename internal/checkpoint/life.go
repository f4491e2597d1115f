package checkpoint

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
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
	if err := CheckNewID(s.ID); err != nil {
		return nil, fault.New(fault.Usage, "%w", err)
	}
	var b strings.Builder
	fields := maps.Clone(s.Fields)
	if fields == nil {
		fields = map[string]string{}
	}
	fields["checkpoint"], fields["created"] = s.ID, FormatTime(now)
	b.WriteString("---\n")
	for _, key := range keysInOrder(fields) {
		if fields[key] != "" {
			b.WriteString(doc.Scalar(key) + ": " + doc.Scalar(fields[key]) + "\n")
		}
	}
	b.WriteString("---\n")
	said := map[Kind]string{
		Problem:    doc.Literal(s.Problem),
		Intent:     doc.Literal(s.Intent),
		Decisions:  join(doc.Below(3, without(s.LiveText, s.Decisions)), bulletList("-", s.Decisions)),
		Context:    join(doc.Below(3, without(s.Copied, s.Context)), bulletList("-", s.Context)),
		PlayByPlay: bulletList("-", s.Steps),
		State:      doc.Literal(s.State),
		Next:       bulletList("1.", s.Next),
		Rules:      join(doc.Below(2, without(s.RulesText, s.Rules)), bulletList("-", s.Rules)),
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
// and keeps a Completion last. Extra is Markdown that stands in the delta as it is.
func (r *Revision) AppendDelta(d Delta, extra string) *Revision {
	text := d.write()
	if extra = strings.TrimSpace(extra); extra != "" {
		text += "\n" + doc.Below(2, extra) + "\n"
	}
	r.tail = append(r.tail, text)
	return r.Set("last_delta", FormatTime(d.At))
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
		r.tail = append(r.tail, "## "+Completion.String()+"\n\n"+completionFields(&completed{}, outcome, learnings, now))
	} else {
		have := c.completion(p, unknownField)
		if said := have.texts(outcomeField); len(said) > 0 && outcome != "" && text.OneLine(outcome) != strings.Join(said, " ") {
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
	return done.at("archive/" + base(c.Path)), nil
}

// FormerCompletion is the title that Reopen gives to a Completion that it keeps.
const FormerCompletion = "Former Completion"

// Reopen returns the file for active/: active, without the Completion that Archive
// wrote. A Completion in other words than those of Archive was written by somebody; it
// stays, as a section of its own called [FormerCompletion], unless force is set.
func (c *Checkpoint) Reopen(force bool) (open *Checkpoint, kept bool, err error) {
	r := c.Revise().Set("status", string(Active))
	p, ok := c.Find(Completion)
	switch kept = ok && !force && !c.completedByArchive(p); {
	case kept:
		at := p.Section.Heading
		heading := strings.Replace(c.Doc.Slice(at), p.Section.Title, FormerCompletion, 1)
		r.edits = append(r.edits, doc.ReplaceSections(at, heading))
	case ok:
		s := doc.Span{Start: c.separator(p.Section.Heading.Start), End: p.Extent.End}
		src := c.Doc.Bytes()
		if s.Start < p.Section.Heading.Start { // ours: undo exactly what Archive put in
			s.Start = blankBefore(src, s.Start, c.Doc.EOL())
		}
		if s.End == len(src) && s.End > 0 && src[s.End-1] != '\n' && s.Start > 0 { // the file had no last line break
			s.Start = breakBefore(src, s.Start, c.Doc.EOL())
		}
		r.edits = append(r.edits, doc.ReplaceSections(s, ""))
	}
	if open, err = r.Apply(); err != nil {
		return nil, false, err
	}
	return open.at("active/" + base(c.Path)), kept, nil
}

// completedByArchive reports whether a Completion is exactly what Archive writes where
// there was none, or what a merge makes of two that it wrote: each outcome behind its date.
func (c *Checkpoint) completedByArchive(p Section) bool {
	have := c.completion(p, unknownField)
	at, ok := ParseTime(strings.Join(have.texts(dateField), " "))
	outcome := strings.Join(have.texts(outcomeField), " ")
	wrote := completionFields(&completed{}, outcome, have.texts(learningsField), at)
	text := strings.TrimSpace(strings.ReplaceAll(c.Doc.Slice(p.Extent), c.Doc.EOL(), "\n"))
	if f, read := ReadCompletion(text); read && len(f.Outcomes) > 1 {
		undated := slices.ContainsFunc(f.Outcomes, func(outcome string) bool {
			date, _, _ := strings.Cut(outcome, ": ")
			_, ok := ParseTime(date)
			return !ok
		})
		return ok && !undated && text == strings.TrimSpace(f.String())
	}
	return ok && text == strings.TrimSpace(wrote)
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// blankBefore is the start of the blank line before an offset, else the offset.
func blankBefore(src []byte, at int, eol string) int {
	if b := breakBefore(src, at, eol); b > 0 && b < at && src[b-1] == '\n' {
		return b
	}
	return at
}

// breakBefore is the start of the line break, of the file's own form, that ends at
// an offset; else the offset.
func breakBefore(src []byte, at int, eol string) int {
	if bytes.HasSuffix(src[:at], []byte(eol)) {
		return at - len(eol)
	}
	return at
}
