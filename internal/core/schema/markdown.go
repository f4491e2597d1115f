package schema

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

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
