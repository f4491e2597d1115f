package checkpoint

import (
	"maps"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// Spec is the content of a new checkpoint. Sections without content get a comment that explains
// their purpose.
type Spec struct {
	ID        string
	Fields    map[string]string // frontmatter besides checkpoint and created
	Problem   string
	Intent    string
	Decisions []string // bullets; a fork may have LiveText instead
	LiveText  string   // Markdown copied from a parent's Decisions
	Context   []string
	Copied    string // Markdown copied from a parent's Technical Context
	Steps     []string
	State     string
	Next      []string
	Rules     []string
	RulesText string // Markdown copied from a parent's User Rules
}

// New returns a checkpoint with every required section.
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

// join puts copied Markdown before a list. If the copy ends with a list, both become one list.
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

// Draft makes a checkpoint from a spec and an optional Markdown file. The file can be a whole
// checkpoint with frontmatter, a body with headings, or a text without headings, which becomes the
// Problem. In a body without a section Problem, the text before the first section becomes the
// Problem. Draft adds the sections that the format requires and the file lacks. If the id of the
// spec is empty, it uses that of the file, or derives one from the time.
func Draft(s Spec, file []byte, id string, now time.Time) (*Checkpoint, error) {
	var d *doc.Doc
	if file != nil {
		var err error
		d, err = doc.Parse(file)
		err = merged(d, file, err)
		if err != nil {
			return nil, fault.New(fault.Invalid, "the text given with -F: %w", err)
		}
		if len(strings.TrimSpace(string(file))) == 0 {
			return nil, fault.New(fault.Usage, "the text given with -F is empty")
		}
		if own, ok := d.Front.Get("checkpoint"); ok && id == "" {
			id = own
		}
	}
	s.ID = id
	if id == "" {
		s.ID = TimeID(now)
	}
	if err := CheckNewID(s.ID); err != nil {
		return nil, fault.New(fault.Usage, "%w", err).WithHint("ckpt new --id ID")
	}
	switch {
	case d == nil:
		return New(s, now)
	case d.Front.Span.Len() == 0 && len(d.Sections()) == 0:
		s.Problem = join(d.Text(d.Body()), s.Problem)
		return New(s, now)
	case d.Front.Span.Len() == 0:
		head := "---\ncheckpoint: " + s.ID + "\ncreated: " + FormatTime(now) + "\n---\n\n"
		if _, stated := of(d, "", s.ID).Find(Problem); !stated && d.Text(d.Preamble()) != "" {
			head += "## Problem\n\n"
		}
		file = []byte(strings.ReplaceAll(head, "\n", d.EOL()) + d.Slice(d.Body()))
	case len(d.Front.Fields) == 0:
		return nil, fault.New(fault.Invalid, "the text given with -F has empty frontmatter")
	}
	return adopt(s, file, now)
}

// TimeID returns the id of a checkpoint without a name, derived from the second of its creation.
func TimeID(now time.Time) string { return "chk-" + now.UTC().Format("20060102-150405") }

// adopt makes a checkpoint from a file that was written by hand, and adds the content of the spec.
func adopt(s Spec, file []byte, now time.Time) (*Checkpoint, error) {
	d, err := doc.Parse(file)
	if err != nil {
		return nil, err
	}
	c := of(d, "active/"+s.ID+".md", s.ID)
	r := c.Revise().Set("checkpoint", s.ID)
	if c.Created().IsZero() {
		r.Set("created", FormatTime(now))
	}
	for _, key := range keysInOrder(s.Fields) {
		if value := s.Fields[key]; value != "" && (key == "status" || c.Field(key) == "") {
			r.Set(key, value)
		}
	}
	c, err = r.Apply()
	if err != nil {
		return nil, err
	}
	for _, k := range Kinds() {
		if _, have := c.Find(k); !have && k.Template().Required {
			c, err = c.apply(c.newSection(k, guide(k)+"\n"))
			if err != nil {
				return nil, err
			}
		}
	}
	if edit, lacks := c.essential(); lacks {
		c, err = c.apply(edit)
		if err != nil {
			return nil, err
		}
	}
	r = c.Revise()
	for k, text := range map[Kind]string{Problem: s.Problem, Intent: s.Intent, State: s.State} {
		if text != "" {
			r.Text(k, text)
		}
	}
	if len(s.Next) > 0 {
		r.Renew(s.Next)
	}
	for k, list := range map[Kind][]string{Decisions: s.Decisions, Context: s.Context, PlayByPlay: s.Steps,
		Rules: s.Rules} {
		for _, text := range list {
			r.Bullet(k, text)
		}
	}
	c, err = r.Apply()
	if err != nil {
		return nil, err
	}
	return c.inherit(s)
}

// inherit adds the text that a child gets from its parent's sections before the file's own entries.
func (c *Checkpoint) inherit(s Spec) (*Checkpoint, error) {
	for _, copied := range []struct {
		kind Kind
		text string
	}{{Decisions, s.LiveText}, {Context, s.Copied}, {Rules, s.RulesText}} {
		level := copied.kind.Template().Level
		var own []string
		if p, ok := c.Find(copied.kind); ok {
			level = p.Section.Level
			for _, item := range c.Doc.Items(p.Extent) {
				own = append(own, item.Text)
			}
		}
		text := without(copied.text, own)
		if text == "" {
			continue
		}
		edit := c.replaceText(copied.kind, join(doc.Below(level, text), c.Text(copied.kind)))
		var err error
		c, err = c.apply(doc.ReplaceSections(edit.Span, edit.Text))
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// without returns copied Markdown without the items that the child already has.
func without(copied string, own []string) string {
	if copied == "" || len(own) == 0 {
		return copied
	}
	said := map[string]bool{}
	for _, text := range own {
		said[strings.TrimSpace(text)] = true
	}
	d, err := doc.Parse([]byte(copied))
	if err != nil || d.Front.Span.Len() > 0 {
		return copied
	}
	var twice []doc.Span
	for _, item := range d.Items(d.Body()) {
		if said[strings.TrimSpace(item.Text)] {
			twice = append(twice, item.Span)
		}
	}
	if len(twice) == 0 {
		return copied
	}
	return d.TextWithout(d.Body(), twice...)
}
