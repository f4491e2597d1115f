// Package revise creates and changes checkpoints.
//
// [Create] writes a new checkpoint. A [Revision] collects changes to one and makes them all
// at once; it returns a new checkpoint, whose bytes differ only where the changes are, and
// refuses changes that would alter anything else. Entries go where a person would put them:
// behind the last entry of the section, in the section's own form, or into a new section at
// the place that the format has for it.
package revise

import (
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// Revision collects changes to one checkpoint and makes them all at once. The
// zero value is not usable: see [Begin].
type Revision struct {
	c       *checkpoint.Checkpoint
	fields  map[string]string              // the frontmatter keys to set; an empty value drops a key
	edits   []doc.Edit                     // edits of spans of the file
	done    []doc.Span                     // the spans of next actions to remove
	bullets map[checkpoint.Kind][]string   // entries to append to a section's list
	rows    map[checkpoint.Kind][][]string // rows to append to a section's table
	texts   map[checkpoint.Kind]*string    // the new text of a section
	tail    []string                       // sections to append to the file
	err     error
}

// Begin begins a revision of c.
func Begin(c *checkpoint.Checkpoint) *Revision {
	return &Revision{
		c: c, fields: map[string]string{}, bullets: map[checkpoint.Kind][]string{},
		rows: map[checkpoint.Kind][][]string{}, texts: map[checkpoint.Kind]*string{},
	}
}

// Set sets a frontmatter key, in the place that the format has for it. An empty value removes the key.
// If a key is set twice, the last value counts.
func (r *Revision) Set(key, value string) *Revision {
	r.fields[key] = value
	return r
}

// Drop removes a frontmatter key.
func (r *Revision) Drop(key string) *Revision { return r.Set(key, "") }

// SetStatus sets the status. It does not write "active" into a file without a status.
func (r *Revision) SetStatus(s checkpoint.Status) *Revision {
	if _, ok := r.c.Doc.Front.Get("status"); s == checkpoint.Active && !ok {
		return r
	}
	return r.Set("status", string(s))
}

// Bullet appends entries to the list of a section. Blank ones are ignored.
func (r *Revision) Bullet(k checkpoint.Kind, entries ...string) *Revision {
	for _, text := range entries {
		if strings.TrimSpace(text) != "" {
			r.bullets[k] = append(r.bullets[k], text)
		}
	}
	return r
}

// Row appends a row to the table of a section that has one: Breadcrumbs or the Artifact Trail.
func (r *Revision) Row(k checkpoint.Kind, cells ...string) *Revision {
	r.rows[k] = append(r.rows[k], cells)
	return r
}

// Text replaces the whole text of a section.
func (r *Revision) Text(k checkpoint.Kind, text string) *Revision {
	literal := doc.Literal(text)
	r.texts[k] = &literal
	return r
}

// Append appends a text to the text of a section.
func (r *Revision) Append(k checkpoint.Kind, text string) *Revision {
	text = doc.Literal(text)
	if text == "" {
		return r
	}
	if p, ok := r.c.Find(k); ok && !isEmpty(r.c, k, r.c.Doc.Content(p.Extent)) {
		text = strings.TrimRight(r.c.Doc.Slice(r.c.Doc.Content(p.Extent)), "\n") + "\n\n" + text
	}
	r.texts[k] = &text
	return r
}

// List replaces the whole text of a section by a list.
func (r *Revision) List(k checkpoint.Kind, entries []string) *Revision {
	text := bulletList(marker(k), entries)
	r.texts[k] = &text
	return r
}

// Splice adds edits of spans of the file.
func (r *Revision) Splice(edits ...doc.Edit) *Revision {
	r.edits = append(r.edits, edits...)
	return r
}

func (r *Revision) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Apply makes the changes and returns the new checkpoint. If nothing changes, it returns the old
// one.
func (r *Revision) Apply() (*checkpoint.Checkpoint, error) {
	if r.err != nil {
		return nil, r.err
	}
	edits, missing, err := r.collect()
	if err != nil {
		return nil, err
	}
	tail := r.tail
	if len(tail) == 1 && len(missing) == 0 {
		last := tailEdit(r.c, tail[0])
		if !slices.ContainsFunc(edits, func(e doc.Edit) bool { return e.Span.End >= last.Span.Start }) {
			edits, tail = append(edits, last), nil // make all edits in one pass, so that a large file is parsed once
		}
	}
	c := r.c
	if len(edits) > 0 {
		c, err = apply(c, edits...)
		if err != nil {
			return nil, err
		}
	}
	for _, add := range missing { // one at a time: the first may add the heading above the next section
		c, err = apply(c, add(c))
		if err != nil {
			return nil, err
		}
	}
	for _, section := range tail {
		c, err = apply(c, tailEdit(c, section))
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// collect returns the edits of the existing text, and functions that add the missing sections.
func (r *Revision) collect() (edits []doc.Edit, missing []func(*checkpoint.Checkpoint) doc.Edit, err error) {
	without, up := withoutActions(r.c, r.done)
	moved := map[checkpoint.Kind]int{checkpoint.Next: up}
	splices := append(slices.Clone(r.edits), without...)
	for _, k := range checkpoint.Kinds() {
		text, bullets, rows := r.texts[k], r.bullets[k], r.rows[k]
		if text != nil && len(bullets)+len(rows) > 0 {
			return nil, nil, fault.New(fault.Usage, "%s is replaced and appended to in one command", k)
		}
		p, have := r.c.Find(k)
		if text != nil && have {
			replaced := r.c.Doc.Content(p.Extent) // splices in it are dropped, except insertions at its end
			splices = slices.DeleteFunc(splices, func(e doc.Edit) bool {
				return replaced.Contains(e.Span) && e.Span.Start < replaced.End
			})
		}
		add := func(edit func(*checkpoint.Checkpoint) doc.Edit) {
			if have {
				edits = append(edits, edit(r.c))
			} else {
				missing = append(missing, edit)
			}
		}
		if text != nil {
			add(func(c *checkpoint.Checkpoint) doc.Edit { return replaceText(c, k, *text) })
		}
		if len(bullets) > 0 {
			if k == checkpoint.Next {
				edits = append(edits, r.listed()...)
			}
			add(func(c *checkpoint.Checkpoint) doc.Edit { return appendBullets(c, k, bullets, moved[k]) })
		}
		if len(rows) > 0 {
			add(func(c *checkpoint.Checkpoint) doc.Edit { return appendRows(c, k, rows) })
		}
	}
	// The splices come last: if two edits insert at the same offset, a section that a splice adds
	// comes after the other text.
	return slices.Concat(r.frontEdits(), edits, splices), missing, nil
}

// frontEdits returns the edits that set and drop keys, in the order of the format.
func (r *Revision) frontEdits() []doc.Edit {
	var edits []doc.Edit
	front := &r.c.Doc.Front
	for _, key := range slices.SortedFunc(maps.Keys(r.fields), checkpoint.CompareFields) {
		value := r.fields[key]
		old, have := front.Get(key)
		switch {
		case value == "" && have:
			drop, _ := r.c.Doc.DropField(key)
			edits = append(edits, drop)
		case value != old:
			edits = append(edits, r.c.Doc.SetField(key, value, checkpoint.FieldsBefore(key)...))
		}
	}
	return edits
}

func apply(c *checkpoint.Checkpoint, edits ...doc.Edit) (*checkpoint.Checkpoint, error) {
	d, err := c.Doc.Apply(edits...)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", c.Path, err).WithHint("ckpt edit %s", c.ID)
	}
	id, _ := d.Front.Get("checkpoint")
	if checkpoint.CheckID(id) != nil {
		id = c.ID
	}
	return &checkpoint.Checkpoint{Doc: d, Path: c.Path, ID: id}, nil
}

func containsFold(s, sub string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(sub))
}
