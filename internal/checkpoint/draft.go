package checkpoint

import (
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// Draft makes a checkpoint of a spec and, where one is given, of a Markdown file:
// a whole one with frontmatter, a body with headings, or a text that is the
// problem, as is what a body without that heading begins with. Sections that the format requires and the file lacks are added. An
// empty id takes that of the file, else makes one of the time.
func Draft(s Spec, file []byte, id string, now time.Time) (*Checkpoint, error) {
	var d *doc.Doc
	if file != nil {
		var err error
		d, err = doc.Parse(file)
		if err = merged(d, file, err); err != nil {
			return nil, fault.New(fault.Invalid, "the text given with -F: %w", err)
		}
		if len(strings.TrimSpace(string(file))) == 0 {
			return nil, fault.New(fault.Usage, "the text given with -F is empty")
		}
		if own, ok := d.Front.Get("checkpoint"); ok && id == "" {
			id = own
		}
	}
	if s.ID = id; id == "" {
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

// TimeID is the id of a checkpoint that nobody has named: the second it was begun in.
func TimeID(now time.Time) string { return "chk-" + now.UTC().Format("20060102-150405") }

// adopt makes a checkpoint of a file that somebody wrote, keeping their bytes,
// and adds what the spec says.
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
	if c, err = r.Apply(); err != nil {
		return nil, err
	}
	for _, k := range Kinds() {
		if _, have := c.Find(k); !have && k.Template().Required {
			if c, err = c.apply(c.newSection(k, guide(k)+"\n")); err != nil {
				return nil, err
			}
		}
	}
	if edit, lacks := c.essential(); lacks {
		if c, err = c.apply(edit); err != nil {
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
	for k, list := range map[Kind][]string{Decisions: s.Decisions, Context: s.Context, PlayByPlay: s.Steps, Rules: s.Rules} {
		for _, text := range list {
			r.Bullet(k, text)
		}
	}
	if c, err = r.Apply(); err != nil {
		return nil, err
	}
	return c.inherit(s)
}
