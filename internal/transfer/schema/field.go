package schema

import (
	"cmp"
	"encoding/json"
	"strings"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/text"
)

// field maps a field of a schema to its place in a checkpoint.
type field struct {
	path  string                             // the path of the field: "summary.goal"
	head  string                             // the frontmatter key of the field; may be empty
	read  func(c *checkpoint.Checkpoint) any // returns the value in the sections; nil if they have none
	write func(d *draft, v any)              // writes a value into the sections, as far as they can express it
	or    any                                // the value if neither the sections nor the stored import have one

	fixed  bool // a stored value that the sections cannot show takes precedence over them
	ofSave bool // the value belongs to one save: a later save does not take it over
	joint  bool // the field shares a section with others, and the section is written from all of them

	// For lists: entry returns the text that identifies an entry, status returns its status in the sections, and
	// update returns the stored entry with the present status.
	entry  func(e any) string
	status func(e any) string
	update func(stored, now any) any
}

func (f field) keys() []string { return strings.Split(f.path, ".") }

// draft collects the values of fields by their places in a checkpoint.
type draft struct {
	id, created             string
	head                    map[string]string // values for the frontmatter; an empty one drops the key
	goal, state             string
	decisions, facts, steps []string
	next, phases            []string
	told                    []string // new steps for Play-By-Play, if the delta describes them in other words
	artifacts               []string // files for the artifact trail
	crumbs                  []checkpoint.Breadcrumb
	results                 []value.Object // results of the steps of a plan
	said                    string         // what the user said: it goes below the goal
	emptied                 bool           // the import has an empty list of tasks
	aimed                   bool           // the import has a goal, maybe an empty one
}

// draft returns a draft with the fields of the import. Whole is the import with the stored fields that the import
// lacks. Fields that share a section with others are taken from whole.
func (im *Import) draft(whole value.Object) *draft {
	d := &draft{head: map[string]string{}}
	for _, f := range fieldsOf(im.Name) {
		_, given := value.Get(im.Object, f.keys()...)
		if f.ofSave && f.head != "name" { // a named checkpoint keeps its name
			d.head[f.head] = ""
		}
		if v, ok := value.Get(whole, f.keys()...); ok && (given || f.joint) {
			f.write(d, v)
		}
	}
	_, named := value.Get(whole, "name")
	if named || d.head["trigger"] == "error" { // the description is not the checkpoint's name
		delete(d.head, "name")
	}
	for path, key := range map[string]string{"sessionId": "session", "workflow_id": "workflow", "name": "name"} {
		if v, given := value.Get(im.Object, path); given { // keys of every schema
			inHead(path, key).write(d, v)
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

// fieldsOf returns the fields of a schema, in its order.
func fieldsOf(name Name) []field {
	switch name {
	case Protocol:
		return protocolFields()
	case Agent:
		return agentStateFields()
	}
	return executorFields()
}

// inHead returns a field for a frontmatter key.
func inHead(path, key string) field {
	return field{
		path: path, head: key,
		read: func(c *checkpoint.Checkpoint) any {
			if n, err := value.Parse([]byte(c.Field(key))); err == nil && key == "tokens_used" {
				return n
			}
			return notEmpty(c.Field(key))
		},
		write: func(d *draft, v any) { d.head[key] = plain(v) },
	}
}

// identity returns the field for the checkpoint's id.
func identity(path string) field {
	return field{
		path:  path,
		fixed: true,
		read:  func(c *checkpoint.Checkpoint) any { return c.ID },
		write: func(d *draft, v any) {
			if s, ok := v.(string); ok && checkpoint.CheckID(s) == nil {
				d.id = s
			}
		},
	}
}

// parentage returns the field for the parent's id.
func parentage(path string) field {
	f := inHead(path, "parent")
	f.fixed = true
	f.write = func(d *draft, v any) {
		if s, ok := v.(string); ok && checkpoint.CheckID(s) == nil && s != d.id {
			d.head["parent"] = s
		}
	}
	return f
}

// birth returns the field for the time of the save: the time of the last delta, or else of the checkpoint's creation.
func birth(path string) field {
	return field{
		path:  path,
		fixed: true,
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

// goal returns the field for the purpose of the work, without messages of the user below it.
func goal(path string) field {
	return field{
		path: path,
		or:   "",
		read: func(c *checkpoint.Checkpoint) any {
			for _, k := range []checkpoint.Kind{checkpoint.Intent, checkpoint.Problem} {
				text := c.Text(k)
				if said := record.Messages(text); said != text {
					text = strings.TrimSpace(strings.TrimSuffix(text, said))
				}
				if !checkpoint.IsNone(text) {
					return doc.Given(text)
				}
			}
			return nil
		},
		write: func(d *draft, v any) { d.goal, d.aimed = clean(v), true },
	}
}

func notEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// list returns a list as a JSON value, and nil for an empty list.
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

// scalar returns the text of a value that is neither a list nor an object.
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

// plain returns the text of a scalar; "" for any other value.
func plain(v any) string {
	text, _ := scalar(v)
	return text
}

// clean returns a string without control characters; "" for a value of another type. It escapes the
// beginnings of HTML comments, which would hide text.
func clean(v any) string {
	s, _ := v.(string)
	return strings.NewReplacer(`\<!--`, `\<!--`, "<!--", `\<!--`).Replace(text.Printable(s))
}

// texts returns the texts of a list, or of a single value in place of a list.
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

// oneLine returns a text on one line. Texts are compared in this form.
func oneLine(s string) string { return text.OneLine(s) }

// ofSave returns a field with ofSave set.
func ofSave(f field) field {
	f.ofSave = true
	return f
}

// Markdown returns the import as a checkpoint file, without an id or a time of creation if the JSON has none.
func (im *Import) Markdown() ([]byte, error) {
	d := im.draft(im.Object)
	c, err := d.checkpoint()
	if err != nil {
		return nil, err
	}
	extra := furtherFields + saveOn(c, im.Name, im.Object, nil).markdown()
	c, err = revise.Begin(c).Set("checkpoint", d.id).Set("created", d.created).Apply()
	if err != nil {
		return nil, err
	}
	text := string(c.Doc.Bytes())
	if len(c.Doc.Front.Fields) == 0 {
		text = c.Doc.Slice(c.Doc.Body())
	}
	return []byte(text + "\n" + extra), nil
}

// checkpoint makes a checkpoint from the draft.
func (d *draft) checkpoint() (*checkpoint.Checkpoint, error) {
	problem := text.FirstLine(d.goal)
	if flow := d.head["workflow"]; problem == "" && flow != "" {
		problem = strings.TrimSuffix("The workflow "+oneLine(flow)+" of "+oneLine(d.head["project"]), " of ")
	}
	spec := revise.Spec{
		ID: cmp.Or(d.id, "chk-draft"), Fields: d.head, Problem: problem, Intent: d.goal, Decisions: d.decisions,
		Context: d.facts, Steps: d.steps, State: d.state, Next: d.next,
	}
	created, _ := checkpoint.ParseTime(d.created)
	c, err := revise.Create(spec, nil, created)
	if err != nil {
		return nil, err
	}
	r := revise.Begin(c)
	d.rows(r, nil)
	for _, file := range d.artifacts {
		r.Row(checkpoint.Artifacts, checkpoint.Code(file), "modified", "")
	}
	return r.Apply()
}

// rows adds the breadcrumbs of the draft that are not in have, each once.
func (d *draft) rows(r *revise.Revision, have []checkpoint.Breadcrumb) {
	known := map[checkpoint.Breadcrumb]bool{}
	for _, b := range have {
		b.Cell = doc.Span{} // the place in the file does not count
		known[b] = true
	}
	for _, b := range d.crumbs {
		if !known[b] {
			r.Row(checkpoint.Breadcrumbs, b.Type, checkpoint.Code(b.Reference), b.Hint)
		}
		known[b] = true
	}
}
