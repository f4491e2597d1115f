package doc

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// maxNodes bounds what the aliases of a frontmatter may expand to.
const maxNodes = 10_000

// readYAML fills the fields by yaml.v3, which says where a value begins and not
// where it ends.
func (f *Front) readYAML(src []byte) error {
	inner := src[f.Inner.Start:f.Inner.End]
	if bytes.Count(inner, []byte("["))+bytes.Count(inner, []byte("{")) > maxNodes {
		return fault.New(fault.Invalid, "frontmatter nests too many brackets")
	}
	root, err := decode(inner)
	if err != nil {
		return fault.New(fault.Invalid, "frontmatter is not YAML: %s", inFile(err.Error(), bytes.Count(inner, []byte("\n"))))
	}
	if root == nil {
		return nil // nothing but comments
	}
	if root.Kind != yaml.MappingNode {
		return fault.New(fault.Invalid, "line %d: frontmatter is not a list of `key: value`", root.Line+1)
	}
	if weight(root, map[*yaml.Node]int{}) > maxNodes {
		return fault.New(fault.Invalid, "frontmatter expands to more than %d values", maxNodes)
	}
	f.flow = root.Style&yaml.FlowStyle != 0
	lines := lineOffsets(src, f.Inner)
	line, counted := 2, f.Inner.Start
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		start := offset(lines, key.Line, f.Inner)
		if start < counted {
			return fault.New(fault.Invalid, "line %d: two keys on one line", line)
		}
		line, counted = line+bytes.Count(src[counted:start], []byte("\n")), start
		field := Field{Key: key.Value, Line: line, Span: Span{start, f.Inner.End}}
		if i+2 < len(root.Content) {
			field.Span.End = offset(lines, root.Content[i+2].Line, f.Inner)
		}
		field.Span.End = withoutTrailer(src, field.Span)
		if !f.flow {
			field.value = scalarSpan(src, lines, value, f.Inner)
			field.hole = hole(src, scalarSpan(src, lines, key, f.Inner), value)
		}
		field.Value = scalarValue(src, field.Span, value)
		f.Fields = append(f.Fields, field)
	}
	return nil
}

// decode gives the root of a YAML document, nil for an empty one. It never
// panics, whatever the library does.
func decode(src []byte) (root *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("%v", r)
		}
	}()
	if !utf8.Valid(src) {
		return nil, fmt.Errorf("yaml: not UTF-8")
	}
	var doc, more yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(src))
	if err := in.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := in.Decode(&more); err != io.EOF {
		return nil, fmt.Errorf("yaml: more than one document")
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

var (
	yamlLine = text.Regexp(`^yaml: (?:line (\d+): )?`)
	// byParser are the errors whose line yaml.v3 counts from 0, and does not name on the first.
	byParser = text.Regexp(`^did not find expected (node content|',' or|key|'-' indicator|<)`)
)

// inFile turns the line of a YAML error into a line of the file: one more, for
// the opening fence. What is missing at the end is missing on the last line.
func inFile(msg string, lines int) string {
	m := yamlLine.FindStringSubmatch(msg)
	if m == nil {
		return msg
	}
	rest := msg[len(m[0]):]
	n, err := strconv.Atoi(m[1])
	if byParser.MatchString(rest) {
		n++
	} else if err != nil {
		return rest
	}
	return fmt.Sprintf("line %d: %s", 1+min(n, lines), rest)
}

// weight counts the values below n as if every alias were written out.
func weight(n *yaml.Node, known map[*yaml.Node]int) int {
	if w, ok := known[n]; ok {
		return w
	}
	known[n] = maxNodes // an alias to what holds it
	w := 1
	if n.Alias != nil {
		w += weight(n.Alias, known)
	}
	for _, child := range n.Content {
		w = min(w+weight(child, known), maxNodes+1)
	}
	known[n] = w
	return w
}
