package plan

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// stepNode is a step and where it stands in the file.
type stepNode struct {
	step  Step
	node  *yaml.Node
	id    *yaml.Node
	needs []*yaml.Node
}

// step reads one step.
func (r *reader) step(n *yaml.Node, s *stepNode) error {
	to := &s.step
	to.Status = Pending
	err := r.mapping(n, "a step", map[string]func(*yaml.Node) error{
		"id":          func(v *yaml.Node) error { s.id = v; return r.id(v, &to.ID) },
		"description": func(v *yaml.Node) error { return r.text(v, &to.Description) },
		"action":      func(v *yaml.Node) error { return r.action(v, to) },
		"parameters":  func(v *yaml.Node) error { return r.parameters(v, to) },
		"dependencies": func(v *yaml.Node) error {
			return r.each(v, "dependencies", func(item *yaml.Node) error {
				var id string
				err := r.text(item, &id)
				to.Needs, s.needs = append(to.Needs, id), append(s.needs, item)
				return err
			})
		},
		"timeout": func(v *yaml.Node) error { return r.duration(v, &to.Timeout) },
		"env":     func(v *yaml.Node) error { return r.env(v, to) },
		"dir":     func(v *yaml.Node) error { return r.text(v, &to.Dir) },
		"retries": func(v *yaml.Node) error { return r.count(v, &to.Retries) },
		"status":  func(v *yaml.Node) error { return r.status(v, &to.Status) },
	})
	if err == nil && to.ID == "" {
		return r.at(target(n), "the step has no id")
	}
	return err
}

// id reads an id: it stands in a table, in a commit's subject and on the command line.
func (r *reader) id(n *yaml.Node, to *string) error {
	if err := r.text(n, to); err != nil {
		return err
	}
	if !isID(*to) {
		return r.at(n, "%q is no id: letters, digits, dots, dashes and underscores, at most 64, the first a letter or digit", *to)
	}
	return nil
}

func isID(id string) bool {
	for i, c := range id {
		alnum := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alnum && (i == 0 || c != '.' && c != '-' && c != '_') {
			return false
		}
	}
	return id != "" && len(id) <= 64
}

// action reads a command: a list is a program and its arguments, a text is for the
// shell.
func (r *reader) action(n *yaml.Node, s *Step) error {
	if target(n).Kind != yaml.SequenceNode {
		if err := r.text(n, &s.Shell); err != nil {
			return err
		}
		s.Shell = strings.TrimSpace(s.Shell)
		return nil
	}
	err := r.each(n, "action", func(item *yaml.Node) error {
		var arg string
		err := r.text(item, &arg)
		s.Args = append(s.Args, arg)
		return err
	})
	if err == nil && (len(s.Args) == 0 || s.Args[0] == "") {
		return r.at(target(n), "the action names no program")
	}
	return err
}

// parameters reads any mapping, which becomes JSON.
func (r *reader) parameters(n *yaml.Node, s *Step) error {
	if isNull(target(n)) {
		return nil
	}
	var all map[string]any
	if target(n).Kind != yaml.MappingNode {
		return r.at(n, "parameters is a mapping of names to values, and here is %s", kindOf(target(n)))
	}
	if err := r.plainNames(target(n)); err != nil {
		return err
	}
	if err := n.Decode(&all); err != nil {
		return r.at(n, "parameters: %s", withoutPrefix(err))
	}
	src, err := json.Marshal(all)
	if err != nil {
		return r.at(n, "parameters: %v", err)
	}
	s.Parameters, s.Values = string(src), map[string]string{}
	for i := 0; i+1 < len(target(n).Content); i += 2 {
		key, value := target(n).Content[i], target(target(n).Content[i+1])
		if value.Kind == yaml.ScalarNode && !isNull(value) && !strings.ContainsRune(value.Value, 0) {
			s.Values[key.Value] = value.Value
		}
	}
	return nil
}

// plainNames refuses names, at any depth, that are no texts: JSON has none, and the
// parser does not survive some. What an alias stands for was seen where it stands.
func (r *reader) plainNames(n *yaml.Node) error {
	for i, inner := range n.Content {
		if name := target(inner); n.Kind == yaml.MappingNode && i%2 == 0 && name.Kind != yaml.ScalarNode {
			return r.at(inner, "the name of a parameter is a text, and here is %s", kindOf(name))
		}
		if err := r.plainNames(inner); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) env(n *yaml.Node, s *Step) error {
	n = target(n)
	if isNull(n) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return r.at(n, "env is a mapping of names to values, and here is %s", kindOf(n))
	}
	s.Env = map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], ""
		if name.Value == "" || strings.ContainsAny(name.Value, "=\x00") {
			return r.at(name, "%q is no name of a variable", name.Value)
		}
		if _, twice := s.Env[name.Value]; twice {
			return r.at(name, "the variable %q stands twice", name.Value)
		}
		if err := r.text(n.Content[i+1], &value); err != nil {
			return err
		}
		s.Env[name.Value] = value
	}
	return nil
}

// duration reads 30s or 5m; a bare number is seconds.
func (r *reader) duration(n *yaml.Node, to *time.Duration) error {
	var text string
	if err := r.text(n, &text); err != nil {
		return err
	}
	if _, err := strconv.Atoi(text); err == nil {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return r.at(n, "%q is no time such as 30s or 5m", text)
	}
	*to = d
	return nil
}

func (r *reader) count(n *yaml.Node, to *int) error {
	var text string
	if err := r.text(n, &text); err != nil {
		return err
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i > 1000 {
		return r.at(n, "%q is no number from 0 to 1000", text)
	}
	*to = i
	return nil
}

// status reads how far a step is: what another executor has completed or skipped
// stays so; all else is to be done.
func (r *reader) status(n *yaml.Node, to *Status) error {
	var text string
	if err := r.text(n, &text); err != nil {
		return err
	}
	if !slices.Contains(statuses[:], Status(text)) {
		return r.at(n, "%q is no status: pending, running, completed, failed, skipped", text)
	}
	if *to = Status(text); !to.Done() {
		*to = Pending
	}
	return nil
}

func names[V any](known map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(known)), ", ")
}
