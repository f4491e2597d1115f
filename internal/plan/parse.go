package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/yamlfile"
)

// exampleHint is the hint of errors about the content of a plan file.
const exampleHint = "a plan begins with steps: (ckpt plan run --help shows one)"

// Parse reads a plan file, YAML or JSON. It refuses bad YAML, unknown keys, repeated ids,
// dependencies on unknown steps and cycles; the error names the file and the line.
func Parse(file string, src []byte) (*Plan, error) {
	p, err := parse(file, src)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", file, err).WithHint(exampleHint)
	}
	return p, nil
}

func parse(file string, src []byte) (*Plan, error) {
	content := planFile{Name: strings.TrimSuffix(path.Base(file), path.Ext(file))}
	if err := decode(src, &content); err != nil {
		return nil, errors.New(yamlfile.InWords(err))
	}
	p := &Plan{File: file, Name: content.Name, Query: content.Query, Problem: content.Description}
	for i, step := range content.Steps {
		if step == nil || step.ID.text == "" {
			return nil, fmt.Errorf("step %d has no id", i+1)
		}
		s, err := step.step()
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		p.Steps = append(p.Steps, s)
	}
	switch {
	case len(p.Steps) == 0:
		return nil, errors.New("the plan has no steps")
	case strings.TrimSpace(p.Name) == "":
		return nil, errors.New("the plan's name is empty")
	}
	return p, checkNeeds(p, content.Steps)
}

// jsonEscape matches an escape in JSON: a surrogate pair, or one character.
var jsonEscape = text.Regexp(`\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\.`)

func decode(src []byte, content *planFile) (err error) {
	defer yamlfile.Recover(&err)
	if json.Valid(src) {
		src = jsonEscape.Get().ReplaceAllFunc(src, func(escape []byte) []byte {
			var char string
			if len(escape) == 2 && escape[1] != '/' || json.Unmarshal([]byte(`"`+string(escape)+`"`), &char) != nil {
				return escape
			}
			return []byte(char) // YAML lacks this escape
		})
	}
	from := yaml.NewDecoder(bytes.NewReader(src))
	from.KnownFields(true)
	err = from.Decode(content)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty")
	case err == nil && !errors.Is(from.Decode(new(yaml.Node)), io.EOF):
		return errors.New("a file has one plan, and a second document begins here")
	}
	return err
}

// planFile is the content of a plan file. docs/schema/plan.json describes its keys for editors.
type planFile struct {
	Schema      string `yaml:"$schema"` // for editors
	Name        string
	Query       string
	Description string
	Steps       []*stepFile // nil for an empty item
}

// stepFile is a step in a plan file.
type stepFile struct {
	ID           id
	Description  string
	Action       action
	Parameters   yaml.Node
	Dependencies []*id // nil for an empty item
	Timeout      timeout
	Retries      retries
	Env          map[string]string
	Dir          string
	Status       Status
}

// step returns the step that a file describes.
func (f *stepFile) step() (Step, error) {
	s := Step{
		ID: f.ID.text, Description: f.Description, Args: f.Action.args, Shell: f.Action.shell, Status: Pending,
		Timeout: time.Duration(f.Timeout), Retries: int(f.Retries), Env: f.Env, Dir: f.Dir,
	}
	for _, need := range f.Dependencies {
		if need == nil {
			return s, errors.New("a dependency is empty")
		}
		s.Needs = append(s.Needs, need.text)
	}
	for name := range s.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return s, fmt.Errorf("invalid name of a variable: %q", name)
		}
	}
	if f.Status.Done() { // another executor has completed or skipped the step
		s.Status = f.Status
	}
	var err error
	if !f.Parameters.IsZero() && f.Parameters.Tag != "!!null" {
		s.Parameters, s.Values, err = parameters(&f.Parameters)
	}
	return s, err
}

// at returns an error with the line of a node.
func at(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{n.Line}, args...)...)
}

// id is the id of a step, which must suit a table, a commit's subject and the command line.
type id struct {
	text string
	line int
}

const idSyntax = `^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`

var idPattern = text.Regexp(idSyntax)

func (i *id) UnmarshalYAML(n *yaml.Node) error {
	i.line = n.Line
	err := n.Decode(&i.text)
	if err == nil && !idPattern.Get().MatchString(i.text) {
		return at(n, "invalid id %q: letters, digits, dots, dashes and underscores, at most 64, the first a letter or digit",
			i.text)
	}
	return err
}

// action is a command: a list of a program and its arguments, or a line for the shell.
type action struct {
	args  []string
	shell string
}

func (a *action) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		err := n.Decode(&a.shell)
		a.shell = strings.TrimSpace(a.shell)
		return err
	}
	var items []*string // nil for an empty item
	if err := n.Decode(&items); err != nil {
		return err
	}
	for _, item := range items {
		if item == nil {
			item = new(string)
		}
		a.args = append(a.args, *item)
	}
	if len(a.args) == 0 || a.args[0] == "" {
		return at(n, "the action names no program")
	}
	return nil
}

// timeout is a duration, such as 30s or 5m. In a file a bare number is seconds.
type timeout time.Duration

func (t *timeout) UnmarshalYAML(n *yaml.Node) error {
	value := n.Value
	if _, err := strconv.Atoi(value); err == nil {
		value += "s"
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 {
		return at(n, "invalid time %q (want 30s, 5m)", n.Value)
	}
	*t = timeout(d)
	return nil
}

const maxRetries = 1000

// retries is how often a failed step is repeated.
type retries int

func (r *retries) UnmarshalYAML(n *yaml.Node) error {
	i, err := strconv.Atoi(n.Value)
	if err != nil || i < 0 || i > maxRetries {
		return at(n, "invalid number %q (want 0 to %d)", n.Value, maxRetries)
	}
	*r = retries(i)
	return nil
}

// UnmarshalYAML reads the status of a step.
func (s *Status) UnmarshalYAML(n *yaml.Node) error {
	*s = Status(n.Value)
	if !slices.Contains(statuses, *s) {
		return at(n, "invalid status %q (want %s)", n.Value, statusNames)
	}
	return nil
}

// parameters returns a mapping as JSON, and its scalar values by name.
func parameters(n *yaml.Node) (asJSON string, scalars map[string]string, err error) {
	if err := checkNames(target(n)); err != nil {
		return "", nil, err
	}
	var all map[string]any
	if err := n.Decode(&all); err != nil {
		return "", nil, errors.New(yamlfile.InWords(err))
	}
	var nodes map[string]yaml.Node
	if err := n.Decode(&nodes); err != nil {
		return "", nil, errors.New(yamlfile.InWords(err))
	}
	scalars = map[string]string{}
	for name, node := range nodes {
		value := target(&node)
		if value.Kind == yaml.ScalarNode && value.Tag != "!!null" && !strings.ContainsRune(value.Value, 0) {
			scalars[name] = value.Value
		}
	}
	src, err := json.Marshal(all)
	return string(src), scalars, err
}

// target returns the node that n is an alias of, or n if it is not an alias.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// checkNames returns an error if a name, at any depth, is not a scalar: JSON has no such names, and
// the decoder panics on some. The target of an alias is checked where it is defined.
func checkNames(n *yaml.Node) error {
	for i, inner := range n.Content {
		isName := n.Kind == yaml.MappingNode && i%2 == 0
		if isName && target(inner).Kind != yaml.ScalarNode {
			return at(inner, "the name of a parameter is a text")
		}
		if err := checkNames(inner); err != nil {
			return err
		}
	}
	return nil
}

// checkNeeds refuses repeated ids, dependencies on unknown steps and cycles.
func checkNeeds(p *Plan, steps []*stepFile) error {
	number := map[string]int{}
	for i, s := range steps {
		if first, twice := number[s.ID.text]; twice {
			return fmt.Errorf("line %d: the id %q is repeated: line %d has it, too",
				s.ID.line, s.ID.text, steps[first].ID.line)
		}
		number[s.ID.text] = i
	}
	for _, s := range steps {
		for i, need := range s.Dependencies {
			if _, known := number[need.text]; !known {
				return fmt.Errorf("line %d: step %q depends on %q, which does not exist", need.line, s.ID.text, need.text)
			}
			if slices.ContainsFunc(s.Dependencies[:i], func(other *id) bool { return other.text == need.text }) {
				return fmt.Errorf("line %d: step %q depends on %q twice", need.line, s.ID.text, need.text)
			}
		}
	}
	visited := map[string]bool{} // steps that were found to have no cycle among their dependencies
	for _, s := range steps {
		if circle := cycle(p, s.ID.text, nil, visited); circle != nil {
			return fmt.Errorf("line %d: steps wait for each other: %s",
				steps[number[circle[0]]].ID.line, strings.Join(circle, " → "))
		}
	}
	return nil
}

// cycle returns a cycle of dependencies that can be reached from a step, with the first id
// again at the end. Path has the steps on the way to that step.
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
