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

// maxNodes is the largest number of values that aliases may expand to.
const maxNodes = 10_000

// readYAML parses the fields with yaml.v3, which gives the start of a value but not its end.
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
		return nil // the frontmatter has only comments
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

// decode returns the root of a YAML document, or nil if it is empty. It turns panics of the library
// into errors.
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
	// byParser matches the errors whose lines yaml.v3 counts from 0.
	byParser = text.Regexp(`^did not find expected (node content|',' or|key|'-' indicator|<)`)
)

// inFile returns a YAML error with the line number in the file, which is larger by one because of
// the opening fence. An error at the end gets the number of the last line.
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

// weight returns the number of values in n, with all aliases expanded.
func weight(n *yaml.Node, known map[*yaml.Node]int) int {
	if w, ok := known[n]; ok {
		return w
	}
	known[n] = maxNodes // if n contains an alias of itself, it counts as too large
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

// scalarValue returns the text of a scalar. Of any other value it returns the text as written.
func scalarValue(src []byte, whole Span, n *yaml.Node) string {
	if n.Alias != nil {
		n = n.Alias
	}
	switch {
	case n.Kind != yaml.ScalarNode:
		_, raw, _ := bytes.Cut(src[whole.Start:whole.End], []byte(":"))
		return string(bytes.TrimSpace(raw))
	case n.Tag == "!!null":
		return ""
	}
	return n.Value
}

// scalarSpan returns the span of a scalar on one line, with its quotes. It is empty for any other
// value: to edit such a value, the whole field is replaced.
func scalarSpan(src []byte, lines []int, n *yaml.Node, inner Span) Span {
	if n.Kind != yaml.ScalarNode || n.Anchor != "" || n.Style&(yaml.TaggedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return Span{}
	}
	start := offset(lines, n.Line, inner)
	for i := 1; i < n.Column && start < inner.End; i++ {
		_, size := utf8.DecodeRune(src[start:inner.End])
		start += size
	}
	text := src[start:min(lineEnd(src, start), inner.End)]
	end := 0
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		end = quoted(text, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		end = quoted(text, '\'')
	case n.Value != "" && bytes.HasPrefix(text, []byte(n.Value)):
		end = len(n.Value)
	}
	if end == 0 {
		return Span{}
	}
	return Span{start, start + end}
}

// hole returns the offset at which a missing value can be inserted: after the colon of the key,
// before a comment on its line. It returns 0 if the key has a value.
func hole(src []byte, key Span, value *yaml.Node) int {
	missing := value.Kind == yaml.ScalarNode && value.Tag == "!!null" && value.Value == ""
	decorated := value.Anchor != "" || value.Style != 0
	if !missing || decorated || key.Len() == 0 {
		return 0
	}
	rest := src[key.End:lineEnd(src, key.End)]
	colon := len(rest) - len(bytes.TrimLeft(rest, " "))
	if colon == len(rest) || rest[colon] != ':' {
		return 0
	}
	if tail := bytes.TrimSpace(rest[colon+1:]); len(tail) > 0 && tail[0] != '#' {
		return 0
	}
	return key.End + colon + 1
}

// quoted returns the length of the quoted scalar at the start of text, or 0 if the scalar does not
// end on this line.
func quoted(text []byte, quote byte) int {
	if len(text) == 0 || text[0] != quote {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return 0
}

// lineOffsets returns the start of each line of inner as YAML counts lines: it knows more line
// breaks than an editor.
func lineOffsets(src []byte, inner Span) []int {
	lines := []int{inner.Start}
	for i := inner.Start; i < inner.End; {
		n := breakLen(src[i:inner.End])
		if n > 0 {
			lines = append(lines, i+n)
		}
		i += max(n, 1)
	}
	return lines
}

// breakLen returns the length of the YAML line break at the start of text, or 0.
func breakLen(text []byte) int {
	for _, s := range []string{"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if bytes.HasPrefix(text, []byte(s)) {
			return len(s)
		}
	}
	return 0
}

func offset(lines []int, line int, inner Span) int {
	if line < 1 || line > len(lines) {
		return inner.End
	}
	return lines[line-1]
}

// withoutTrailer returns the end of a field, before any comments and blank lines that precede the
// next key.
func withoutTrailer(src []byte, s Span) int {
	end := max(s.End, s.Start)
	for end > s.Start {
		line := lineStart(src, end-1)
		text := bytes.TrimSpace(src[line:end])
		if line <= s.Start || len(text) > 0 && src[line] != '#' {
			break
		}
		end = line
	}
	return end
}
