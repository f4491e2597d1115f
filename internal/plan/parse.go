package plan

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
)

// Parse reads a plan file, YAML or JSON. Whatever is wrong is a [fault.Invalid] that
// names file, line and column: bad YAML, a key that no plan has, an id that stands
// twice, a dependency that is no step, steps that wait for each other.
func Parse(file string, src []byte) (*Plan, error) {
	r := &reader{file: file}
	var root yaml.Node
	from := yaml.NewDecoder(bytes.NewReader(src))
	switch err := from.Decode(&root); {
	case errors.Is(err, io.EOF):
		return nil, fault.New(fault.Invalid, "%s is empty", file).WithHint("a plan begins with steps: (ckpt plan run --help shows one)")
	case err != nil:
		return nil, r.syntax(src, err)
	}
	var more yaml.Node
	if err := from.Decode(&more); err == nil {
		return nil, r.at(&more, "a second document begins here: a file holds one plan")
	} else if !errors.Is(err, io.EOF) {
		return nil, r.syntax(src, err)
	}
	p := &Plan{File: file, Name: strings.TrimSuffix(path.Base(file), path.Ext(file))}
	steps, err := r.plan(root.Content[0], p)
	if err != nil {
		return nil, err
	}
	if len(p.Steps) == 0 {
		return nil, r.at(root.Content[0], "the plan has no steps")
	}
	return p, r.graph(p, steps)
}

// reader reads one file.
type reader struct{ file string }

// at is what is wrong at a place of the file.
func (r *reader) at(n *yaml.Node, format string, args ...any) error {
	place := fault.New(fault.Invalid, format, args...)
	return fault.New(fault.Invalid, "%s, line %d, column %d: %w", r.file, max(n.Line, 1), max(n.Column, 1), place)
}

// plan reads the top of the file and gives the nodes of its steps.
func (r *reader) plan(n *yaml.Node, p *Plan) (steps []*stepNode, err error) {
	err = r.mapping(n, "a plan", map[string]func(*yaml.Node) error{
		"name":        func(v *yaml.Node) error { return r.text(v, &p.Name) },
		"query":       func(v *yaml.Node) error { return r.text(v, &p.Query) },
		"description": func(v *yaml.Node) error { return r.text(v, &p.Problem) },
		"steps": func(v *yaml.Node) error {
			return r.each(v, "steps", func(item *yaml.Node) error {
				s := &stepNode{node: item}
				steps = append(steps, s)
				return r.step(item, s)
			})
		},
	})
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		p.Steps = append(p.Steps, s.step)
	}
	if strings.TrimSpace(p.Name) == "" {
		return nil, r.at(n, "the plan's name is empty")
	}
	return steps, nil
}

// mapping reads a mapping key by key; one that nobody knows is refused by name.
func (r *reader) mapping(n *yaml.Node, what string, known map[string]func(*yaml.Node) error) error {
	n = target(n)
	if n.Kind != yaml.MappingNode {
		return r.at(n, "%s is a mapping of keys to values, and here is %s", what, kindOf(n))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read, ok := known[key.Value]
		if !ok {
			return r.at(key, "%s has no key %q: %s", what, key.Value, names(known))
		}
		if seen[key.Value] {
			return r.at(key, "the key %q stands twice", key.Value)
		}
		seen[key.Value] = true
		if err := read(value); err != nil {
			return err
		}
	}
	return nil
}

// each reads a list.
func (r *reader) each(n *yaml.Node, what string, read func(*yaml.Node) error) error {
	n = target(n)
	if isNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return r.at(n, "%s is a list, and here is %s", what, kindOf(n))
	}
	for _, item := range n.Content {
		if err := read(item); err != nil {
			return err
		}
	}
	return nil
}

// text reads a plain value as it is written: 1 is "1".
func (r *reader) text(n *yaml.Node, to *string) error {
	n = target(n)
	if n.Kind != yaml.ScalarNode {
		return r.at(n, "a text is wanted, and here is %s", kindOf(n))
	}
	if *to = n.Value; isNull(n) {
		*to = ""
	}
	if strings.ContainsRune(*to, 0) {
		return r.at(n, "the text holds a NUL")
	}
	return nil
}

// target is the node that an alias stands for.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if isNull(n) {
		return "nothing"
	}
	return "a text"
}
