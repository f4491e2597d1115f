package schema

import (
	"encoding/json"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/value"
)

// Export is a checkpoint in the words of a schema.
type Export struct {
	ID     string
	Schema Name
	Object value.Object
}

// Write returns a checkpoint in the words of a schema: what was imported last, with what
// has changed in the sections since.
func Write(c *checkpoint.Checkpoint, name Name) (*Export, error) {
	last, err := saveOf(c, name)
	if err != nil {
		return nil, err
	}
	return &Export{c.ID, name, written(c, name, last)}, nil
}

func written(c *checkpoint.Checkpoint, name Name, last *save) value.Object {
	now := said(c, name)
	if last == nil {
		last = &save{said: map[string][]string{}}
	} else if last.said == nil {
		last.said = last.drafted(now)
	}
	var out value.Object
	rest := last.object
	for _, f := range fieldsOf(name) {
		v, stored := value.Get(rest, f.keys()...)
		have, says := now[f.path]
		was, watched := last.said[f.path]
		switch {
		case stored && (f.stored || f.alone):
		case f.alone && last.name != "":
			have, says = f.or, f.or != nil
			fallthrough
		case !stored && !watched:
			if says {
				out = value.Set(out, have, f.keys()...)
			} else if f.or != nil {
				out = value.Set(out, f.or, f.keys()...)
			}
		case unchanged(was, f.marks(have)):
		case stored:
			if v = f.merged(v, have, was); v != nil {
				rest = value.Set(rest, v, f.keys()...)
			} else {
				rest = drop(rest, f.keys())
			}
		case says:
			out = value.Set(out, have, f.keys()...)
		}
	}
	return complete(value.Over(out, rest), name, rest)
}

// complete adds what an executor's document requires of each of its checkpoints.
func complete(out value.Object, name Name, given value.Object) value.Object {
	if name != State {
		return out
	}
	if _, ok := value.Get(given, "stepNumber"); !ok { // a save is at the step of its state
		if at, ok := value.Get(out, "state", "currentStepIndex"); ok {
			out = value.Set(out, at, "stepNumber")
		}
	}
	if v, ok := value.Get(out, "metadata"); ok {
		if _, object := v.(value.Object); !object {
			return out
		}
	}
	for _, m := range []value.Member{{Key: "triggerType", Value: "auto"}, {Key: "durationMs", Value: json.Number("0")}} {
		if _, ok := value.Get(out, "metadata", m.Key); !ok {
			out = value.Set(out, m.Value, "metadata", m.Key)
		}
	}
	return out
}

// drafted returns the digests that a file of an older version does not keep: those of
// what a checkpoint made of the save alone would say.
func (s *save) drafted(now map[string]any) map[string][]string {
	var rest value.Object
	for _, f := range fieldsOf(s.name) {
		if _, stored := value.Get(s.object, f.keys()...); stored {
			continue
		}
		if v, ok := now[f.path]; ok {
			rest = value.Set(rest, v, f.keys()...)
		}
	}
	then := map[string][]string{}
	whole := &Import{s.name, value.Over(rest, s.object)}
	c, err := whole.draft(whole.Object).checkpoint()
	if err != nil {
		return then
	}
	says := said(c, s.name)
	for _, f := range fieldsOf(s.name) {
		if _, stored := value.Get(s.object, f.keys()...); stored {
			then[f.path] = f.marks(says[f.path])
		}
	}
	return then
}

// drop returns o without the value at a path.
func drop(o value.Object, path []string) value.Object {
	var left value.Object
	for _, m := range o {
		if below, ok := m.Value.(value.Object); ok && m.Key == path[0] && len(path) > 1 {
			m.Value = drop(below, path[1:])
		}
		if m.Key != path[0] || len(path) > 1 {
			left = append(left, m)
		}
	}
	return slices.Clip(left)
}
