package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Parse parses config.yaml. A key that is left out has its default; keys that this
// version does not know are collected in Unknown. An error names the line.
func Parse(src []byte) (Config, error) {
	c := Default()
	if isBlank(src) { // the file as init writes it: this is fast, since hooks read it often
		return c, nil
	}
	var file yaml.Node
	err := yaml.Unmarshal(src, &file)
	if err == nil && len(file.Content) > 0 {
		err = reader{config: &c}.group(file.Content[0], settings(), true)
	}
	slices.Sort(c.Unknown)
	if err != nil {
		return c, fault.New(fault.Invalid, "config.yaml: %s", inWords(err)).WithHint("%s", fault.HintOf(err))
	}
	return c, nil
}

// isBlank reports whether a file has only comments and blank lines.
func isBlank(src []byte) bool {
	for line := range bytes.Lines(src) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' {
			return false
		}
	}
	return true
}

// reader reads values into a config.
type reader struct {
	config *Config
	path   []string // the keys that lead to the value
}

func (r reader) below(key string) reader { return reader{r.config, append(slices.Clone(r.path), key)} }

// group reads a mapping.
func (r reader) group(node *yaml.Node, known []setting, strict bool) error {
	var values map[string]yaml.Node
	if err := node.Decode(&values); err != nil {
		return err
	}
	for _, s := range known {
		value, ok := values[s.key]
		delete(values, s.key)
		if !ok || value.Tag == "!!null" {
			continue
		}
		if err := s.read(r.below(s.key), &value); err != nil {
			return r.below(s.key).located(err, &value)
		}
	}
	for key := range values {
		if strict {
			r.config.Unknown = append(r.config.Unknown, strings.Join(r.below(key).path, "."))
		}
	}
	return nil
}

// located adds the line and the path of a value to an error that has none yet.
func (r reader) located(err error, value *yaml.Node) error {
	if errors.As(err, new(invalid)) || errors.As(err, new(*yaml.TypeError)) {
		return err
	}
	return invalid{fmt.Errorf("line %d: %s: %w", value.Line, strings.Join(r.path, ": "), err)}
}

// invalid is an error that names a line and a key.
type invalid struct{ error }

func (e invalid) Unwrap() error { return e.error }

// wrongKind matches the message of yaml.v3 about a value of another kind than is expected.
var wrongKind = text.Regexp(`^line (\d+): cannot unmarshal !!(\w+) .*into .*$`)

// kinds returns the kinds of values in plain words.
func kinds() map[string]string {
	return map[string]string{
		"seq": "a list", "map": "a list of keys", "str": "a text",
		"int": "a number", "float": "a number", "bool": "a yes or no",
	}
}

// inWords returns the message of an error for the person who wrote the file.
func inWords(err error) string {
	var types *yaml.TypeError
	if !errors.As(err, &types) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	found := wrongKind.FindStringSubmatch(types.Errors[0])
	if found == nil {
		return types.Errors[0]
	}
	kind := kinds()[found[2]]
	if kind == "" {
		kind = "such a value"
	}
	return fmt.Sprintf("line %s: %s has no place there", found[1], kind)
}
