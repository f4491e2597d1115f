package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/yamlfile"
)

// Parse parses config.yaml. A key that is left out has its default; keys that this
// version does not know are collected in Unknown. An error names the line.
func Parse(src []byte) (Config, error) {
	c := Default()
	if isBlank(src) { // a fast path: the file that init writes has only comments, and hooks read it often
		return c, nil
	}
	err := c.read(src)
	slices.Sort(c.Unknown)
	if err != nil {
		return c, fault.New(fault.Invalid, "config.yaml: %s", yamlfile.InWords(err)).WithHint("%s", fault.HintOf(err))
	}
	return c, nil
}

func (c *Config) read(src []byte) (err error) {
	defer yamlfile.Recover(&err)
	var file yaml.Node
	err = yaml.Unmarshal(src, &file)
	if err != nil || len(file.Content) == 0 {
		return err
	}
	return reader{config: c}.group(file.Content[0], settings(), true)
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

// group reads the known settings from a mapping. If strict is set, it collects the keys that are unknown.
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
