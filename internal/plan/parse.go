package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// exampleHint is the hint of errors about what a plan file says.
const exampleHint = "a plan begins with steps: (ckpt plan run --help shows one)"

// Parse reads a plan file, YAML or JSON. It refuses bad YAML, unknown keys, repeated ids,
// dependencies on unknown steps and cycles; the error names the file and the line, and the
// column if the file is YAML.
func Parse(file string, src []byte) (*Plan, error) {
	r := &reader{file: file}
	var root, more yaml.Node
	from := yaml.NewDecoder(bytes.NewReader(src))
	err := from.Decode(&root)
	if errors.Is(err, io.EOF) {
		return nil, fault.New(fault.Invalid, "%s is empty", file).
			WithHint(exampleHint)
	}
	if err == nil {
		err = from.Decode(&more)
		if err == nil {
			return nil, r.at(&more, "a second document begins here: a file has one plan")
		}
	}
	if !errors.Is(err, io.EOF) {
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
	return p, r.checkNeeds(p, steps)
}

// reader reads the nodes of a file.
type reader struct{ file string }

// maxTraced is the size of the largest file in which the line of a syntax error is searched:
// each step of the search is a parse.
const maxTraced = 64 << 10

// syntax returns the error for a file that is not YAML. The decoder names the line where the
// construct begins, or the line before it. To find the line of the mistake, syntax looks for the
// shortest beginning of the file with the same error.
func (r *reader) syntax(src []byte, err error) error {
	problem := syntaxProblem(err)
	lines := strings.SplitAfter(string(src), "\n")
	line, text := 0, ""
	for i := 0; i < len(lines) && len(src) <= maxTraced; i++ {
		text += lines[i]
		var any yaml.Node
		err := yaml.Unmarshal([]byte(text), &any)
		if err == nil {
			line = 0
		} else if line == 0 && syntaxProblem(err) == problem {
			line = i + 1
		}
	}
	if line == 0 {
		return fault.New(fault.Invalid, "%s: %s", r.file, strings.TrimPrefix(err.Error(), "yaml: ")).WithHint(exampleHint)
	}
	return fault.New(fault.Invalid, "%s, line %d: %s", r.file, line, problem).WithHint(exampleHint)
}

// syntaxProblem returns an error of the decoder without "yaml: line 3: ".
func syntaxProblem(err error) string {
	problem := strings.TrimPrefix(err.Error(), "yaml: ")
	rest, hasLine := strings.CutPrefix(problem, "line ")
	if hasLine {
		_, problem, _ = strings.Cut(rest, ": ")
	}
	return problem
}

// at returns an error with the position of a node.
func (r *reader) at(n *yaml.Node, format string, args ...any) error {
	place := fault.New(fault.Invalid, format, args...)
	return fault.New(fault.Invalid, "%s, line %d, column %d: %w", r.file, max(n.Line, 1), max(n.Column, 1), place).
		WithHint(exampleHint)
}

// planNode is a plan with its nodes.
type planNode struct {
	plan  *Plan
	steps []*stepNode
}

// plan reads the top level of the file and returns the nodes of its steps.
func (r *reader) plan(n *yaml.Node, p *Plan) ([]*stepNode, error) {
	to := &planNode{plan: p}
	err := mapping(r, n, "a plan", planKeys(), to)
	if err != nil {
		return nil, err
	}
	for _, s := range to.steps {
		p.Steps = append(p.Steps, s.step)
	}
	if strings.TrimSpace(p.Name) == "" {
		return nil, r.at(n, "the plan's name is empty")
	}
	return to.steps, nil
}

// steps reads the list of steps.
func (r *reader) steps(n *yaml.Node, p *planNode) error {
	keys := stepKeys()
	return r.each(n, "steps", func(item *yaml.Node) error {
		s := &stepNode{node: item}
		p.steps = append(p.steps, s)
		return r.step(item, keys, s)
	})
}

// pairs calls visit with the keys and values of a mapping.
func (r *reader) pairs(n *yaml.Node, what string, visit func(key, value *yaml.Node) error) error {
	n = target(n)
	if n.Kind != yaml.MappingNode {
		return r.at(n, "%s is a mapping of keys to values, and here is %s", what, kindOf(n))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := visit(n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// mapping reads the values of a mapping. It refuses unknown and repeated keys.
func mapping[T any](r *reader, n *yaml.Node, what string, keys []key[T], to T) error {
	known := map[string]key[T]{}
	for _, k := range keys {
		known[k.name] = k
	}
	seen := map[string]bool{}
	return r.pairs(n, what, func(name, value *yaml.Node) error {
		k, ok := known[name.Value]
		if !ok {
			return r.at(name, "%s has no key %q: %s", what, name.Value, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if seen[name.Value] {
			return r.at(name, "the key %q is repeated", name.Value)
		}
		seen[name.Value] = true
		return k.read(r, value, to)
	})
}

// each reads the items of a list.
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

// text reads a scalar as it is written: 1 is "1".
func (r *reader) text(n *yaml.Node, to *string) error {
	n = target(n)
	if n.Kind != yaml.ScalarNode {
		return r.at(n, "a text is wanted, and here is %s", kindOf(n))
	}
	*to = n.Value
	if isNull(n) {
		*to = ""
	}
	if strings.ContainsRune(*to, 0) {
		return r.at(n, "the text has a NUL")
	}
	return nil
}

// target returns the node that an alias refers to.
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

// stepNode is a step with its nodes.
type stepNode struct {
	step  Step
	node  *yaml.Node
	id    *yaml.Node
	needs []*yaml.Node
}

// step reads one step.
func (r *reader) step(n *yaml.Node, keys []key[*stepNode], s *stepNode) error {
	s.step.Status = Pending
	err := mapping(r, n, "a step", keys, s)
	if err == nil && s.step.ID == "" {
		return r.at(target(n), "the step has no id")
	}
	return err
}

// needs reads the ids of the steps that a step depends on.
func (r *reader) needs(n *yaml.Node, s *stepNode) error {
	return r.each(n, "dependencies", func(item *yaml.Node) error {
		var id string
		err := r.text(item, &id)
		s.step.Needs, s.needs = append(s.step.Needs, id), append(s.needs, item)
		return err
	})
}

// id reads an id, which must suit a table, a commit's subject and the command line.
func (r *reader) id(n *yaml.Node, to *string) error {
	if err := r.text(n, to); err != nil {
		return err
	}
	if !idPattern.MatchString(*to) {
		return r.at(n, "invalid id %q: letters, digits, dots, dashes and underscores, at most 64, "+
			"the first a letter or digit", *to)
	}
	return nil
}

const idSyntax = `^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`

var idPattern = text.Regexp(idSyntax)

// action reads a command: a list of a program and its arguments, or a line for the shell.
func (r *reader) action(n *yaml.Node, s *stepNode) error {
	if target(n).Kind != yaml.SequenceNode {
		if err := r.text(n, &s.step.Shell); err != nil {
			return err
		}
		s.step.Shell = strings.TrimSpace(s.step.Shell)
		return nil
	}
	err := r.each(n, "action", func(item *yaml.Node) error {
		var arg string
		err := r.text(item, &arg)
		s.step.Args = append(s.step.Args, arg)
		return err
	})
	if err == nil && (len(s.step.Args) == 0 || s.step.Args[0] == "") {
		return r.at(target(n), "the action names no program")
	}
	return err
}

// parameters reads any mapping and converts it to JSON.
func (r *reader) parameters(n *yaml.Node, s *stepNode) error {
	if isNull(target(n)) {
		return nil
	}
	s.step.Values = map[string]string{}
	err := r.pairs(n, "parameters", func(key, value *yaml.Node) error {
		value = target(value)
		if value.Kind == yaml.ScalarNode && !isNull(value) && !strings.ContainsRune(value.Value, 0) {
			s.step.Values[key.Value] = value.Value
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.plainNames(target(n)); err != nil {
		return err
	}
	var all map[string]any
	if err := n.Decode(&all); err != nil {
		return r.at(n, "parameters: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	src, err := json.Marshal(all)
	if err != nil {
		return r.at(n, "parameters: %v", err)
	}
	s.step.Parameters = string(src)
	return nil
}

// plainNames refuses names, at any depth, that are not scalars: JSON has no other names, and the
// decoder panics on some. It checks the targets of aliases where they are defined.
func (r *reader) plainNames(n *yaml.Node) error {
	for i, inner := range n.Content {
		name, isName := target(inner), n.Kind == yaml.MappingNode && i%2 == 0
		if isName && name.Kind != yaml.ScalarNode {
			return r.at(inner, "the name of a parameter is a text, and here is %s", kindOf(name))
		}
		if err := r.plainNames(inner); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) env(n *yaml.Node, s *stepNode) error {
	if isNull(target(n)) {
		return nil
	}
	s.step.Env = map[string]string{}
	return r.pairs(n, "env", func(name, node *yaml.Node) error {
		if name.Value == "" || strings.ContainsAny(name.Value, "=\x00") {
			return r.at(name, "invalid name of a variable: %q", name.Value)
		}
		if _, twice := s.step.Env[name.Value]; twice {
			return r.at(name, "the variable %q is repeated", name.Value)
		}
		var value string
		err := r.text(node, &value)
		s.step.Env[name.Value] = value
		return err
	})
}

// timeout reads 30s or 5m; a bare number is seconds.
func (r *reader) timeout(n *yaml.Node, s *stepNode) error {
	var text string
	if err := r.text(n, &text); err != nil {
		return err
	}
	if _, err := strconv.Atoi(text); err == nil {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return r.at(n, "invalid time %q (want 30s, 5m)", text)
	}
	s.step.Timeout = d
	return nil
}

const maxRetries = 1000

func (r *reader) retries(n *yaml.Node, s *stepNode) error {
	var text string
	if err := r.text(n, &text); err != nil {
		return err
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i > maxRetries {
		return r.at(n, "invalid number %q (want 0 to %d)", text, maxRetries)
	}
	s.step.Retries = i
	return nil
}

// status reads the status of a step: a step that another executor has completed or skipped
// stays so, others are pending.
func (r *reader) status(n *yaml.Node, s *stepNode) error {
	var text string
	if err := r.text(n, &text); err != nil {
		return err
	}
	if !slices.Contains(statuses, Status(text)) {
		return r.at(n, "invalid status %q (want %s)", text, statusNames)
	}
	if status := Status(text); status.Done() {
		s.step.Status = status
	}
	return nil
}

// checkNeeds refuses repeated ids, dependencies on unknown steps and cycles.
func (r *reader) checkNeeds(p *Plan, nodes []*stepNode) error {
	number := map[string]int{}
	for i, s := range nodes {
		if first, twice := number[s.step.ID]; twice {
			return r.at(s.id, "the id %q is repeated: line %d has it, too", s.step.ID, nodes[first].id.Line)
		}
		number[s.step.ID] = i
	}
	for _, s := range nodes {
		for i, need := range s.step.Needs {
			if _, known := number[need]; !known {
				return r.at(s.needs[i], "step %q depends on %q, which does not exist: %s", s.step.ID, need, shortList(p))
			}
			if slices.Contains(s.step.Needs[:i], need) {
				return r.at(s.needs[i], "step %q depends on %q twice", s.step.ID, need)
			}
		}
	}
	visited := map[string]bool{} // steps that were found to have no cycle among their dependencies
	for _, s := range nodes {
		if circle := cycle(p, s.step.ID, nil, visited); circle != nil {
			return r.at(nodes[number[circle[0]]].id, "steps wait for each other: %s", strings.Join(circle, " → "))
		}
	}
	return nil
}

// cycle returns a cycle of dependencies that can be reached from a step, with the first id
// again at the end. Path has the steps that led to it.
func cycle(p *Plan, id string, path []string, visited map[string]bool) []string {
	if i := slices.Index(path, id); i >= 0 {
		return append(slices.Clone(path[i:]), id)
	}
	if visited[id] {
		return nil
	}
	step, _ := p.Find(id)
	for _, need := range step.Needs {
		if circle := cycle(p, need, append(path, id), visited); circle != nil {
			return circle
		}
	}
	visited[id] = true
	return nil
}

// shortList returns the first ids of a plan.
func shortList(p *Plan) string {
	var ids []string
	for _, s := range p.Steps {
		if len(ids) == 12 {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, s.ID)
	}
	return strings.Join(ids, ", ")
}
