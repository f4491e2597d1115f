package revise

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// Spec is the content of a new checkpoint. Sections without content get a comment that explains
// their purpose.
type Spec struct {
	ID        string
	Fields    map[string]string // frontmatter keys other than `checkpoint` and `created`
	Problem   string
	Intent    string
	Decisions []string // bullets for Decisions, after LiveText
	LiveText  string   // Markdown for Decisions, copied from those of a parent
	Context   []string
	Copied    string // Markdown for Technical Context, copied from that of a parent
	Steps     []string
	State     string
	Next      []string
	Rules     []string
	RulesText string // Markdown for User Rules, copied from those of a parent
}

// fromSpec returns a checkpoint with every required section.
func fromSpec(s Spec, now time.Time) (*checkpoint.Checkpoint, error) {
	var b strings.Builder
	fields := map[string]string{}
	maps.Copy(fields, s.Fields)
	fields["checkpoint"], fields["created"] = s.ID, checkpoint.FormatTime(now)
	b.WriteString("---\n")
	for _, key := range slices.SortedFunc(maps.Keys(fields), checkpoint.CompareFields) {
		if fields[key] != "" {
			b.WriteString(doc.Scalar(key) + ": " + doc.Scalar(fields[key]) + "\n")
		}
	}
	b.WriteString("---\n")
	said := map[checkpoint.Kind]string{
		checkpoint.Problem:    doc.Literal(s.Problem),
		checkpoint.Intent:     doc.Literal(s.Intent),
		checkpoint.Decisions:  join(doc.Below(3, without(s.LiveText, s.Decisions)), bulletList("-", s.Decisions)),
		checkpoint.Context:    join(doc.Below(3, without(s.Copied, s.Context)), bulletList("-", s.Context)),
		checkpoint.PlayByPlay: bulletList("-", s.Steps),
		checkpoint.State:      doc.Literal(s.State),
		checkpoint.Next:       bulletList("1.", s.Next),
		checkpoint.Rules:      join(doc.Below(2, without(s.RulesText, s.Rules)), bulletList("-", s.Rules)),
	}
	for _, k := range checkpoint.Kinds() {
		t := k.Template()
		text := said[k]
		if text == "" && t.Required {
			text = t.Guide
		}
		if text == "" && k != checkpoint.Essential {
			continue
		}
		b.WriteString("\n" + strings.Repeat("#", t.Level) + " " + t.Title + "\n")
		if text != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	return checkpoint.Parse("active/"+s.ID+".md", []byte(b.String()))
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

// Create makes a checkpoint from a spec and an optional Markdown file. The file can be a whole
// checkpoint with frontmatter, a body with headings, or a text without headings, which becomes the
// Problem. In a body without a section Problem, the text before the first section becomes the
// Problem. Create adds the sections that the format requires and the file lacks. If the id of the
// spec is empty, it uses the id of the file, or derives one from the time.
func Create(s Spec, file []byte, now time.Time) (*checkpoint.Checkpoint, error) {
	var d *doc.Doc
	if file != nil {
		var err error
		d, err = checkpoint.ParseDoc(file)
		if err != nil {
			return nil, fault.New(fault.Invalid, "the text given with -F: %w", err)
		}
		if len(strings.TrimSpace(string(file))) == 0 {
			return nil, fault.New(fault.Usage, "the text given with -F is empty").
				WithHint("ckpt new NAME --problem TEXT")
		}
		if _, closer := d.LeftOpen(); closer != "" {
			d, err = doc.Parse([]byte(strings.TrimRight(string(file), "\r\n") + d.EOL() + closer + d.EOL()))
			if err != nil {
				return nil, err
			}
		}
		own, _ := d.Front.Get("checkpoint")
		s.ID = cmp.Or(s.ID, own)
	}
	s.ID = cmp.Or(s.ID, TimeID(now))
	if err := checkpoint.CheckNewID(s.ID); err != nil {
		return nil, fault.New(fault.Usage, "%w", err).WithHint("ckpt new --id ID")
	}
	switch {
	case d == nil:
		return fromSpec(s, now)
	case d.Front.Span.Len() == 0 && len(d.Sections()) == 0:
		s.Problem = join(s.Problem, d.Text(d.Body()))
		return fromSpec(s, now)
	case d.Front.Span.Len() == 0:
		head := "---\ncheckpoint: " + s.ID + "\ncreated: " + checkpoint.FormatTime(now) + "\n---\n\n"
		c := &checkpoint.Checkpoint{Doc: d, ID: s.ID}
		if _, stated := c.Find(checkpoint.Problem); !stated && d.Text(d.Preamble()) != "" {
			head += "## Problem\n\n"
		}
		var err error
		d, err = doc.Parse([]byte(strings.ReplaceAll(head, "\n", d.EOL()) + d.Slice(d.Body())))
		if err != nil {
			return nil, err
		}
	case len(d.Front.Fields) == 0:
		return nil, fault.New(fault.Invalid, "the text given with -F has empty frontmatter")
	}
	return adopt(s, d, now)
}

// TimeID returns the id of a checkpoint without a name, derived from the second of its creation.
func TimeID(now time.Time) string { return "chk-" + now.UTC().Format("20060102-150405") }

// adopt makes a checkpoint from a file that was written by hand, and adds the content of the spec.
func adopt(s Spec, d *doc.Doc, now time.Time) (*checkpoint.Checkpoint, error) {
	c := &checkpoint.Checkpoint{Doc: d, Path: "active/" + s.ID + ".md", ID: s.ID}
	r := Begin(c).Set("checkpoint", s.ID)
	if c.Created().IsZero() {
		r.Set("created", checkpoint.FormatTime(now))
	}
	for _, key := range slices.SortedFunc(maps.Keys(s.Fields), checkpoint.CompareFields) {
		if value := s.Fields[key]; value != "" && (key == "status" || c.Field(key) == "") {
			r.Set(key, value)
		}
	}
	if p, headless := c.Headless(); headless { // add the heading above p before other sections are added there
		r.Splice(insertSections(c, p.Section.Heading.Start, "## "+checkpoint.Essential.String()+"\n\n"))
	}
	c, err := r.Apply()
	if err != nil {
		return nil, err
	}
	lacks := func(k checkpoint.Kind) bool { _, have := c.Find(k); return !have && k.Template().Required }
	_, essential := c.Find(checkpoint.Essential)
	flat := slices.ContainsFunc(c.Sections(), checkpoint.Section.Misplaced)
	addsBelow := flat && !essential && slices.ContainsFunc(checkpoint.Kinds()[checkpoint.Decisions:], lacks)
	for _, k := range checkpoint.Kinds() {
		if lacks(k) || addsBelow && k == checkpoint.Essential {
			c, err = apply(c, newSection(c, k, strings.TrimLeft(k.Template().Guide+"\n", "\n")))
			if err != nil {
				return nil, err
			}
		}
	}
	r = Begin(c)
	for k, list := range map[checkpoint.Kind][]string{
		checkpoint.Decisions: s.Decisions, checkpoint.Context: s.Context, checkpoint.PlayByPlay: s.Steps,
		checkpoint.Next: s.Next, checkpoint.Rules: s.Rules,
	} {
		r.Bullet(k, list...)
	}
	c, err = r.Apply()
	if err != nil {
		return nil, err
	}
	return inherit(c, s)
}

// inherit puts the texts of the spec, and the texts copied from a parent, before the text of the
// file's own sections.
func inherit(c *checkpoint.Checkpoint, s Spec) (*checkpoint.Checkpoint, error) {
	for _, copied := range []struct {
		kind checkpoint.Kind
		text string
	}{
		{checkpoint.Problem, doc.Literal(s.Problem)}, {checkpoint.Intent, doc.Literal(s.Intent)},
		{checkpoint.State, doc.Literal(s.State)}, {checkpoint.Decisions, s.LiveText}, {checkpoint.Context, s.Copied},
		{checkpoint.Rules, s.RulesText},
	} {
		level := copied.kind.Template().Level
		var own []string
		if p, ok := c.Find(copied.kind); ok {
			level = p.Section.Level
			for _, item := range c.Doc.Items(p.Extent) {
				own = append(own, item.Text)
			}
		}
		text := without(copied.text, own)
		if strings.HasPrefix(c.Text(copied.kind), text) {
			continue
		}
		edit := replaceText(c, copied.kind, join(doc.Below(level, text), c.Text(copied.kind)))
		var err error
		c, err = apply(c, doc.ReplaceSections(edit.Span, edit.Text))
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
	return d.Text(d.Body(), twice...)
}
