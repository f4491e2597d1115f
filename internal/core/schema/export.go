package schema

import (
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/value"
)

// Export is a checkpoint in the words of a schema.
type Export struct {
	ID     string
	Schema Name
	Object value.Object
}

// Write says a checkpoint in the words of a schema. Fields that were imported come out
// as they came in unless the checkpoint says otherwise by now.
func Write(c *checkpoint.Checkpoint, name Name) (*Export, error) {
	kept, err := blockOf(c, name)
	if err != nil {
		return nil, err
	}
	now := said(c, name)
	var out value.Object
	for _, f := range fieldsOf(name) {
		if _, ok := value.Get(kept, f.keys()...); ok {
			continue
		}
		if v, ok := now[f.path]; ok {
			out = value.Set(out, v, f.keys()...)
		} else if f.or != nil {
			out = value.Set(out, f.or, f.keys()...)
		}
	}
	before := map[string]any{} // what the checkpoint would say if it still said what is kept
	if kept != nil {
		whole := &Import{name, value.Over(out, kept)}
		if c, err := whole.draft().checkpoint(); err == nil {
			before = said(c, name)
		}
	}
	rest := kept
	for _, f := range fieldsOf(name) {
		v, ok := value.Get(kept, f.keys()...)
		if !ok {
			continue
		}
		switch have, says := now[f.path]; {
		case f.keeps || value.Equal(before[f.path], have):
		case f.merge != nil:
			rest = value.Set(rest, f.merge(v, have), f.keys()...)
		case says:
			rest = value.Set(rest, have, f.keys()...)
		default:
			rest = drop(rest, f.keys())
		}
	}
	out = value.Over(out, rest)
	if _, given := value.Get(kept, "stepNumber"); name == State && !given { // S002-30: a save is at the step of its state
		if at, ok := value.Get(out, "state", "currentStepIndex"); ok {
			out = value.Set(out, at, "stepNumber")
		}
	}
	return &Export{c.ID, name, out}, nil
}

// drop is o without the value at a path.
func drop(o value.Object, path []string) value.Object {
	var left value.Object
	for _, m := range o {
		if below, ok := m.Value.(value.Object); ok && m.Key == path[0] && len(path) > 1 {
			m.Value = drop(below, path[1:])
		} else if m.Key == path[0] {
			continue
		}
		left = append(left, m)
	}
	return left
}
