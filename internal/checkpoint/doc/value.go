package doc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// number matches a number of JSON.
var number = text.Regexp(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// YAML returns an object as YAML that [ReadYAML] can read: one key per line, numbers as written. It
// does not use yaml.v3, whose indent and quotes differ from those in existing files.
func YAML(o value.Object) string {
	var b strings.Builder
	writeMembers(&b, o, 0)
	return b.String()
}

func writeMembers(b *strings.Builder, o value.Object, depth int) {
	for _, m := range o {
		b.WriteString(strings.Repeat("  ", depth) + yamlText(m.Key) + ":")
		writeValue(b, m.Value, depth+1)
	}
}

// writeValue writes the value after a key or a dash.
func writeValue(b *strings.Builder, v any, depth int) {
	switch v := v.(type) {
	case value.Object:
		if len(v) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteByte('\n')
		writeMembers(b, v, depth)
	case []any:
		if len(v) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteByte('\n')
		for _, entry := range v {
			b.WriteString(strings.Repeat("  ", depth) + "-")
			writeValue(b, entry, depth+1)
		}
	case string:
		b.WriteString(" " + yamlText(v) + "\n")
	case json.Number:
		b.WriteString(" " + string(v) + "\n")
	case bool:
		b.WriteString(map[bool]string{true: " true\n", false: " false\n"}[v])
	default:
		b.WriteString(" null\n")
	}
}

// yamlText returns a text, in quotes if YAML would read it as another kind of value.
func yamlText(s string) string {
	if s == "true" || s == "false" || number.MatchString(s) {
		return `"` + s + `"`
	}
	return Scalar(s)
}

// ReadYAML parses an object. Plain words that are JSON values have their JSON type; all others are
// text.
func ReadYAML(src []byte) (value.Object, error) {
	if bytes.Count(src, []byte("["))+bytes.Count(src, []byte("{")) > len(src)/2+maxNodes {
		return nil, fault.New(fault.Invalid, "too many brackets")
	}
	root, err := decode(src)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%w", err)
	}
	if root == nil {
		return nil, nil
	}
	v, err := valueOf(root, 0)
	o, ok := v.(value.Object)
	if err == nil && !ok {
		err = fault.New(fault.Invalid, "line %d: not a list of `key: value`", root.Line)
	}
	return o, err
}

func valueOf(n *yaml.Node, depth int) (any, error) {
	switch {
	case depth > 120:
		return nil, fault.New(fault.Invalid, "line %d: nested too deep", n.Line)
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			v, err := valueOf(c, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case n.Kind == yaml.MappingNode:
		o := value.Object{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := valueOf(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			o = append(o, value.Member{Key: n.Content[i].Value, Value: v})
		}
		return o, nil
	case n.Kind != yaml.ScalarNode:
		return nil, fault.New(fault.Invalid, "line %d: aliases are not supported", n.Line)
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return n.Value, nil
	}
	switch {
	case n.Value == "true" || n.Value == "false":
		return n.Value == "true", nil
	case n.Value == "" || isNull(n.Value):
		return nil, nil
	case number.MatchString(n.Value):
		return json.Number(n.Value), nil
	}
	return n.Value, nil
}

// Scalar returns s as a YAML scalar: plain if that is safe, else in double quotes.
func Scalar(s string) string {
	if plainValue([]byte(s)) && strings.TrimSpace(s) == s {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !literal(r):
			fmt.Fprintf(&b, `\u%04x`, r&0xffff)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
