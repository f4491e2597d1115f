package schema

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/value"
)

// blockTitle is the section that holds what no other section can.
const blockTitle = "Further Fields"

// block writes the section, "" where there is nothing to keep.
func block(level int, name Name, rest value.Object) string {
	if len(rest) == 0 {
		return ""
	}
	text := doc.YAML(value.Object{{Key: string(name), Value: rest}})
	return strings.Repeat("#", level) + " " + blockTitle + "\n\n```yaml\n" + text + "```\n"
}

// blockOf is what the last such section of a checkpoint keeps for a schema.
func blockOf(c *checkpoint.Checkpoint, name Name) (value.Object, error) {
	all := c.Doc.Sections()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Title != blockTitle {
			continue
		}
		_, text, ok := strings.Cut(c.Doc.Text(all[i].Body), "```yaml\n")
		if !ok {
			continue
		}
		if text, ok = strings.CutSuffix(text, "```"); !ok {
			text, _, _ = strings.Cut(text, "\n```")
		}
		o, err := doc.ReadYAML([]byte(text))
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s: %s, below line %d, is not YAML: %w", c.ID, blockTitle, c.Doc.Line(all[i].Heading.Start), err).WithHint("ckpt edit %s", c.ID)
		}
		if rest, ok := member[value.Object](o, string(name)); ok {
			return rest, nil
		}
	}
	return nil, nil
}

// rest is what of an object a checkpoint does not say in the places of its fields.
func (im *Import) rest(c *checkpoint.Checkpoint) value.Object {
	says := said(c, im.Name)
	if at, ok := value.Get(im.Object, "state", "currentStepIndex"); ok && im.Name == State {
		says["stepNumber"] = at // what Write gives where nothing else is kept
	}
	var rest value.Object
	var visit func(o value.Object, path []string)
	visit = func(o value.Object, path []string) {
		for _, m := range o {
			at := append(path[:len(path):len(path)], m.Key)
			have, known := says[strings.Join(at, ".")]
			plain := !slices.ContainsFunc(at, func(key string) bool { return strings.Contains(key, ".") })
			below, isObject := m.Value.(value.Object)
			switch {
			case known && plain && value.Equal(have, m.Value):
			case isObject && len(below) > 0 && plain && holdsFields(im.Name, strings.Join(at, ".")):
				visit(below, at)
			default:
				rest = value.Set(rest, m.Value, at...)
			}
		}
	}
	visit(im.Object, nil)
	return rest
}

// onTop is the rest of an import with what it leaves as it was. A workflow's agent may
// save the part of its state that has moved, and an executor's state without its plan
// is a part of one: what they do not say of the state stays. Any other import tells all
// that there is.
func (im *Import) onTop(c *checkpoint.Checkpoint, rest value.Object) (value.Object, error) {
	_, plan := value.Get(im.Object, "state", "plan")
	if im.Name == Protocol || im.Name == State && plan {
		return rest, nil
	}
	kept, err := blockOf(c, im.Name)
	if err != nil {
		return nil, err
	}
	leave := func(path ...string) {
		was, stored := value.Get(kept, path...)
		if _, said := value.Get(im.Object, path...); stored && !said {
			rest = value.Set(rest, was, path...)
		}
	}
	leave("workflow_type")
	state, _ := member[value.Object](kept, "state")
	for _, m := range state {
		leave("state", m.Key)
	}
	return rest, nil
}

// holdsFields says whether fields of a schema stand below a path.
func holdsFields(name Name, path string) bool {
	for _, f := range fieldsOf(name) {
		if strings.HasPrefix(f.path, path+".") {
			return true
		}
	}
	return false
}
