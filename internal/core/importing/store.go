package importing

import (
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/schema"
	"example.com/ckpt/internal/core/value"
)

// ReadRow plans the checkpoint of a row: an object of one of the three schemas, as it
// is or as its store keeps it.
func ReadRow(s Source, at result.Place) (*Draft, error) {
	where := at.In(s.Name)
	v, err := value.Parse(s.Files[0].Text)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", where, err)
	}
	if issue, ok := v.(value.Object); ok && isIssue(issue) {
		d := &Draft{From: where, Mark: Mark(s), Made: s.Made, place: at, fields: map[string]string{}}
		if made := madeAt(issue); !made.IsZero() {
			d.Made, d.Dated = made, true
		}
		if err := readIssue(issue, d); err != nil {
			return nil, fault.New(fault.Invalid, "%s: %w", where, err)
		}
		for _, share := range d.Shares {
			d.Lines += share.Lines
		}
		return d, nil
	}
	o, made, err := unstored(v)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", where, err)
	}
	im, err := schema.Of(o)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", where, err)
	}
	d := &Draft{Form: Row, From: where, Mark: Mark(s), Made: s.Made, place: at, row: im, fields: map[string]string{}}
	if !made.IsZero() {
		d.Made, d.Dated = made, true
	}
	if d.text, err = im.Markdown(); err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", where, err)
	}
	id := nameless
	if head, _, ok := strings.Cut(string(d.text), "\n---\n"); ok && isHeader(head) {
		id = "" // it brings its own
	}
	plain, err := checkpoint.Draft(checkpoint.Spec{}, d.text, id, d.Made)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", where, err)
	}
	if created, ok := plain.Doc.Front.Get("created"); ok && !d.Dated {
		d.Made, d.Dated = checkpoint.ParseTime(created)
	}
	if plain.ID != nameless {
		d.ID = plain.ID
	}
	d.Shares = shares(plain)
	for _, share := range d.Shares {
		d.Lines += share.Lines
	}
	return d, nil
}

// nameless is the id of a row that has none.
const nameless = "chk-nameless"

// shares are how many lines each section of a checkpoint got.
func shares(c *checkpoint.Checkpoint) []result.Share {
	var all []result.Share
	if n := len(c.Doc.Front.Fields); n > 0 {
		all = append(all, result.Share{Section: "Frontmatter", Lines: n})
	}
	known := map[string]bool{}
	for _, k := range checkpoint.Kinds() {
		known[k.String()] = true
		if n := countLines(c.Text(k)); n > 0 && k != checkpoint.Essential {
			all = append(all, result.Share{Section: k.String(), Lines: n})
		}
	}
	for _, s := range c.Doc.Sections() {
		if !known[s.Title] {
			all = append(all, result.Share{Section: s.Title, Lines: countLines(c.Doc.Text(s.Body)), Imported: true})
		}
	}
	return all
}

// checkRow looks whether a checkpoint gives back every field of its row.
func (d *Draft) checkRow(c *checkpoint.Checkpoint) error {
	out, err := schema.Write(c, d.row.Name)
	if err != nil {
		return fault.New(fault.Failed, "%s: %w", d.From, err)
	}
	for _, m := range d.row.Object {
		if d.ID != "" && d.ID != c.ID && m.Value == any(d.ID) {
			continue // it is in imported_id
		}
		if have, ok := value.Get(out.Object, m.Key); !ok || !holds(have, m.Value) {
			return fault.New(fault.Failed, "%s: the field %q would be lost", d.From, m.Key)
		}
	}
	return nil
}

// holds says whether a value has all that another has: an object may have more.
func holds(have, want any) bool {
	o, ok := want.(value.Object)
	if !ok {
		return value.Equal(have, want)
	}
	for _, m := range o {
		if v, ok := value.Get(have, m.Key); !ok || !holds(v, m.Value) {
			return false
		}
	}
	_, ok = have.(value.Object)
	return ok
}

// unstored is a row as the schema has it, and when it was made where the schema has
// no word for that. What a store adds stays beside the fields.
func unstored(v any) (any, time.Time, error) {
	o, ok := v.(value.Object)
	if !ok {
		return v, time.Time{}, nil
	}
	if content, ok := textAt(o, "content"); ok { // a memory that holds a checkpoint
		if inner, err := value.Parse([]byte(content)); err == nil {
			if inner, ok := inner.(value.Object); ok {
				var rest value.Object
				for _, m := range o {
					if m.Key != "content" {
						rest = append(rest, m)
					}
				}
				if len(rest) > 0 {
					inner = value.Set(inner, rest, "memory")
				}
				return inner, madeAt(inner), nil
			}
		}
	}
	if state, ok := textAt(o, "state_json"); ok { // a row of the SQLite table
		inner, err := value.Parse([]byte(state))
		if err != nil {
			return nil, time.Time{}, fault.New(fault.Invalid, "state_json holds no JSON: %w", err)
		}
		return fromColumns(o, inner), madeAt(o), nil
	}
	return o, madeAt(o), nil
}

// columns are those of the SQLite table, and the fields that they hold.
var columns = map[string][]string{
	"session_id": {"sessionId"}, "project_id": {"projectId"}, "step_number": {"stepNumber"}, "created_at": {"createdAt"},
	"description": {"metadata", "description"}, "trigger_type": {"metadata", "triggerType"},
	"duration_ms": {"metadata", "durationMs"}, "token_usage": {"metadata", "tokenUsage"},
}

// fromColumns is a row of the SQLite table as the object that its store makes of it.
func fromColumns(row value.Object, state any) value.Object {
	var o value.Object
	for _, m := range row {
		if m.Key == "state_json" {
			o = value.Set(o, state, "state")
		} else if field, ok := columns[m.Key]; ok {
			o = value.Set(o, m.Value, field...)
		} else {
			o = value.Set(o, m.Value, m.Key)
		}
	}
	return o
}

func textAt(o value.Object, path ...string) (string, bool) {
	v, _ := value.Get(o, path...)
	s, ok := v.(string)
	return s, ok
}
