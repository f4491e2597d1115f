package schema

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
)

// field is where a field of a schema has its place in a checkpoint.
type field struct {
	path  string                             // "summary.goal"
	read  func(c *checkpoint.Checkpoint) any // what the sections say; nil for nothing
	write func(d *draft, v any)              // puts what has a place there
	or    any                                // the value where nothing is said and nothing stored

	stored bool // what is stored counts, whatever the sections say
	alone  bool // once imported it is read from what is stored alone
	ofSave bool // it tells of one save: a later one that leaves it out has none
	joint  bool // it shares a section with others, which is written from all of them

	// Of a list: what tells entries apart, the status that the sections show, and the entry
	// as it was imported with the status that the sections say.
	entry  func(e any) string
	status func(e any) string
	update func(stored, says any) any
}

func (f field) keys() []string { return strings.Split(f.path, ".") }

// draft is what fields are written to.
type draft struct {
	id, created             string
	head                    map[string]string // frontmatter
	goal, state             string
	decisions, facts, steps []string
	next, phases            []string
	told                    []string // steps that a delta says in other words
	artifacts               []string // files
	crumbs                  []checkpoint.Breadcrumb
	results                 []value.Object // of the steps of a plan
	emptied                 bool           // the list of what is to be done is given, and empty
}

// draft puts what the import says where it belongs. Whole is the import with what it
// leaves as it was, from which sections that fields share are written.
func (im *Import) draft(whole value.Object) *draft {
	d := &draft{head: map[string]string{}}
	for _, f := range fieldsOf(im.Name) {
		_, given := value.Get(im.Object, f.keys()...)
		if v, ok := value.Get(whole, f.keys()...); ok && (given || f.joint) {
			f.write(d, v)
		}
	}
	switch im.Name {
	case State:
		im.stateOfPlan(d, whole)
	case Agent:
		im.stateOfPhases(d, whole)
	}
	return d
}

// said returns what a checkpoint says in the places of a schema's fields.
func said(c *checkpoint.Checkpoint, name Name) map[string]any {
	all := map[string]any{}
	for _, f := range fieldsOf(name) {
		if v := f.read(c); v != nil {
			all[f.path] = v
		}
	}
	return all
}

// fieldsOf are the fields of a schema, in its order.
func fieldsOf(name Name) []field {
	switch name {
	case Protocol:
		return protocolFields()
	case Agent:
		return agentStateFields()
	}
	return executorFields()
}

// inHead is a field that is a frontmatter key.
func inHead(path, key string) field {
	return field{
		path: path,
		read: func(c *checkpoint.Checkpoint) any { return notEmpty(c.Field(key)) },
		write: func(d *draft, v any) {
			if s, ok := scalar(v); ok {
				d.head[key] = s
			}
		},
	}
}

// count is a field that is a number in a frontmatter key.
func count(path, key string) field {
	f := inHead(path, key)
	f.read = func(c *checkpoint.Checkpoint) any {
		if s := c.Field(key); s != "" {
			if n, err := value.Parse([]byte(s)); err == nil {
				if n, ok := n.(json.Number); ok {
					return n
				}
			}
			return s
		}
		return nil
	}
	return f
}

// identity is the field that is the checkpoint's id.
func identity(path string) field {
	return field{
		path:   path,
		stored: true,
		read:   func(c *checkpoint.Checkpoint) any { return c.ID },
		write: func(d *draft, v any) {
			if s, ok := v.(string); ok && checkpoint.CheckID(s) == nil {
				d.id = s
			}
		},
	}
}

// parentage is the field that is the parent's id.
func parentage(path string) field {
	f := inHead(path, "parent")
	f.stored = true
	f.write = func(d *draft, v any) {
		if s, ok := v.(string); ok && checkpoint.CheckID(s) == nil && s != d.id {
			d.head["parent"] = s
		}
	}
	return f
}

// birth is the field that is the time of the save: of the last delta, else of creation.
func birth(path string) field {
	return field{
		path:   path,
		stored: true,
		read: func(c *checkpoint.Checkpoint) any {
			return notEmpty(cmp.Or(c.Field("last_delta"), c.Field("created")))
		},
		write: func(d *draft, v any) {
			s, _ := v.(string)
			if t, ok := checkpoint.ParseTime(s); ok {
				d.created = checkpoint.FormatTime(t)
			}
		},
	}
}

// goal is the field that says what the work is for.
func goal(path string) field {
	return field{
		path: path,
		or:   "",
		read: func(c *checkpoint.Checkpoint) any {
			for _, k := range []checkpoint.Kind{checkpoint.Intent, checkpoint.Problem} {
				if text := c.Text(k); !checkpoint.IsNone(text) {
					return text
				}
			}
			return nil
		},
		write: func(d *draft, v any) { d.goal = clean(v) },
	}
}

func notEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// list is a list as a field has it, nil for one without entries.
func list[T any](all []T) any {
	if len(all) == 0 {
		return nil
	}
	v := make([]any, len(all))
	for i, e := range all {
		v[i] = e
	}
	return v
}

// scalar is a value that is one word or number, as text.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return clean(v), true
	case json.Number:
		return string(v), true
	case bool:
		return map[bool]string{true: "true", false: "false"}[v], true
	}
	return "", false
}

// plain is the text of a value that is one word or number; "" for any other.
func plain(v any) string {
	text, _ := scalar(v)
	return text
}

// uncomment keeps a text from vanishing in an HTML comment.
var uncomment = strings.NewReplacer(`\<!--`, `\<!--`, "<!--", `\<!--`)

// clean is the text of a value without control characters, which Markdown has no
// use for; "" for a value of another kind.
func clean(v any) string {
	s, _ := v.(string)
	s = uncomment.Replace(s)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// texts are the texts of a list, or one that stands in place of it.
func texts(v any) []string {
	entries, ok := v.([]any)
	if !ok {
		entries = []any{v}
	}
	var all []string
	for _, e := range entries {
		if s := plain(e); strings.TrimSpace(s) != "" {
			all = append(all, s)
		}
	}
	return all
}

// same is a text as entries are told apart by it.
func same(s string) string { return strings.Join(strings.Fields(s), " ") }

// ofSave makes a field one that tells of one save.
func ofSave(f field) field {
	f.ofSave = true
	return f
}

// placeholder is the id of a draft that has none of its own.
const placeholder = "chk-draft"

// Markdown is the import as a checkpoint file: a whole one, but for the id and the
// time of creation where the JSON has none.
func (im *Import) Markdown() ([]byte, error) {
	d := im.draft(im.Object)
	c, err := d.checkpoint()
	if err != nil {
		return nil, err
	}
	s := im.save(c)
	if im.Name == Protocol && d.state != "" {
		s.ownState(c)
	}
	extra := s.section()
	r := c.Revise()
	if d.id == "" {
		r.Drop("checkpoint")
	}
	if d.created == "" {
		r.Drop("created")
	}
	if c, err = r.Apply(); err != nil {
		return nil, err
	}
	text := string(c.Doc.Bytes())
	if len(c.Doc.Front.Fields) == 0 {
		text = c.Doc.Slice(c.Doc.Body())
	}
	if extra != "" {
		text += "\n" + extra
	}
	return []byte(text), nil
}

// checkpoint is the draft as a checkpoint.
func (d *draft) checkpoint() (*checkpoint.Checkpoint, error) {
	problem := firstLine(strings.TrimSpace(d.goal))
	if flow := d.head["workflow"]; problem == "" && flow != "" {
		problem = strings.TrimSuffix("The workflow "+same(flow)+" of "+same(d.head["project"]), " of ")
	}
	spec := checkpoint.Spec{
		ID: placeholder, Fields: d.head, Problem: problem, Intent: d.goal, Decisions: d.decisions,
		Context: d.facts, Steps: d.steps, State: d.state, Next: d.next,
	}
	if d.id != "" {
		spec.ID = d.id
	}
	created, _ := checkpoint.ParseTime(d.created)
	c, err := checkpoint.New(spec, created)
	if err != nil {
		return nil, err
	}
	r := c.Revise()
	d.rows(r, nil)
	for _, file := range d.artifacts {
		r.Row(checkpoint.Artifacts, checkpoint.Code(file), "modified", "")
	}
	return r.Apply()
}

// rows adds the breadcrumbs that are not there yet.
func (d *draft) rows(r *checkpoint.Revision, have []checkpoint.Breadcrumb) {
	known := map[checkpoint.Breadcrumb]bool{}
	for _, b := range have {
		known[b] = true
	}
	for _, b := range d.crumbs {
		if !known[b] {
			r.Row(checkpoint.Breadcrumbs, b.Type, checkpoint.Code(b.Reference), b.Hint)
		}
	}
}
