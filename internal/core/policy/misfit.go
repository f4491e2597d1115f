package policy

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/text"
)

// misfit is a value that cannot be used, and the keys that lead to it.
type misfit struct {
	at   []string
	says string
}

func (m misfit) Error() string { return strings.Join(m.at, ": ") + ": " + m.says }

// wrong is a misfit in words.
func wrong(at []string, format string, args ...any) error {
	return misfit{at, fmt.Sprintf(format, args...)}
}

// misplaced is how yaml.v3 says that a value has another kind than what is read there.
var misplaced = text.Regexp(`^line (\d+): cannot unmarshal !!(\w+) .*into .*$`)

// kinds are the kinds of values as people call them.
var kinds = map[string]string{"seq": "a list", "map": "a list of keys", "str": "a text", "int": "a number", "float": "a number", "bool": "a yes or no"}

// refused is the fault that an error is for whoever wrote the file: it names the line.
func refused(src []byte, err error) error {
	var m misfit
	var types *yaml.TypeError
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	switch {
	case errors.As(err, &m):
		if line := lineOf(src, m.at); line > 0 {
			text = fmt.Sprintf("line %d: %s", line, text)
		}
	case errors.As(err, &types):
		text = types.Errors[0]
		if found := misplaced.FindStringSubmatch(text); found != nil {
			kind := kinds[found[2]]
			if kind == "" {
				kind = "such a value"
			}
			text = fmt.Sprintf("line %s: %s has no place there", found[1], kind)
		}
	}
	return fault.New(fault.Invalid, "config.yaml: %s", text)
}

// lineOf is the line of the value that keys lead to, of the last of them that is there;
// 0 for none.
func lineOf(src []byte, keys []string) int {
	var doc yaml.Node
	if yaml.Unmarshal(src, &doc) != nil || len(doc.Content) == 0 {
		return 0
	}
	line, at := 0, doc.Content[0]
	for _, key := range keys {
		next := valueOf(at, key)
		if next == nil {
			break
		}
		line, at = next.Line, next
	}
	return line
}

// valueOf is the value of a key of a mapping, nil for none.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Kind == yaml.MappingNode && mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
