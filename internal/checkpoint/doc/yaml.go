package doc

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/yamlfile"
)

// maxBrackets limits the opening brackets in frontmatter: yaml.v3 takes time quadratic in their number.
const maxBrackets = 10_000

// readFields reads the fields with yaml.v3, which gives the start of a value but not its end.
func (f *Front) readFields(src []byte) error {
	text := src[f.Inner.Start:f.Inner.End]
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return fault.New(fault.Invalid, "frontmatter nests too many brackets")
	}
	root, err := decode(text)
	if err != nil {
		return fault.New(fault.Invalid, "frontmatter is not YAML: %s", inFile(err.Error(), bytes.Count(text, []byte("\n"))))
	}
	if root == nil {
		return nil // the frontmatter has only comments
	}
	if root.Kind != yaml.MappingNode {
		return fault.New(fault.Invalid, "line %d: frontmatter is not a list of `key: value`", root.Line+1)
	}
	f.flow = root.Style&yaml.FlowStyle != 0
	y := yamlText{src, f.Inner.End, yamlLines(src, f.Inner)}
	line, counted := 2, f.Inner.Start
	known := map[string]int{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		start := y.line(key.Line)
		if start < counted {
			return fault.New(fault.Invalid, "line %d: two keys on one line", line)
		}
		line, counted = line+bytes.Count(src[counted:start], []byte("\n")), start
		field := Field{Key: key.Value, Line: line, Span: Span{start, f.Inner.End}}
		if i+2 < len(root.Content) {
			field.Span.End = y.line(root.Content[i+2].Line)
		}
		field.Span.End = withoutTrailer(src, field.Span)
		field.Value = scalarValue(src, field.Span, value)
		if !f.flow {
			field.value = y.value(value)
		}
		if first, ok := known[field.Key]; ok {
			return fault.New(fault.Invalid, "line %d: duplicate key %q (first on line %d)", line, field.Key, first)
		}
		known[field.Key] = line
		f.Fields = append(f.Fields, field)
	}
	return nil
}

// decode returns the root of a YAML document, or nil if it is empty.
func decode(src []byte) (root *yaml.Node, err error) {
	defer yamlfile.Recover(&err)
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
	m := yamlLine.Get().FindStringSubmatch(msg)
	if m == nil {
		return msg
	}
	rest := msg[len(m[0]):]
	n, err := strconv.Atoi(m[1])
	if byParser.Get().MatchString(rest) {
		n++
	} else if err != nil {
		return rest
	}
	return fmt.Sprintf("line %d: %s", 1+min(n, lines), rest)
}

// scalarValue returns the text of a scalar. For any other value it returns the text as written.
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

// yamlText finds offsets in frontmatter by the lines and columns that yaml.v3 gives.
type yamlText struct {
	src   []byte
	end   int
	lines []int
}

// yamlLines returns the start of each line as YAML counts lines. YAML has more kinds of line breaks than \n and \r\n.
func yamlLines(src []byte, inner Span) []int {
	lines := []int{inner.Start}
	for i := inner.Start; i < inner.End; i++ {
		if c := src[i]; ' ' <= c && c <= '~' {
			continue
		}
		for _, s := range []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"} {
			if bytes.HasPrefix(src[i:inner.End], []byte(s)) {
				i += len(s) - 1
				lines = append(lines, i+1)
				break
			}
		}
	}
	return lines
}

// line returns the start of the line with the given number, which counts from 1.
func (y *yamlText) line(line int) int {
	if line < 1 || line > len(y.lines) {
		return y.end
	}
	return y.lines[line-1]
}

// value returns the span of a scalar on one line, with its quotes. For a missing value it returns the
// empty span after the colon. For any other value it returns the zero Span.
func (y *yamlText) value(n *yaml.Node) Span {
	if n.Kind != yaml.ScalarNode || n.Anchor != "" || n.Style&(yaml.TaggedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return Span{}
	}
	start := y.line(n.Line)
	for i := 1; i < n.Column && start < y.end; i++ {
		_, size := utf8.DecodeRune(y.src[start:y.end])
		start += size
	}
	text := y.src[start:min(lineEnd(y.src, start), y.end)]
	end := 0
	switch {
	case n.Value == "" && n.Style == 0:
		if y.src[start-1] == ':' {
			return Span{start, start}
		}
	case n.Style&yaml.DoubleQuotedStyle != 0:
		end = quoted(text, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		end = quoted(text, '\'')
	case bytes.HasPrefix(text, []byte(n.Value)):
		end = len(n.Value)
	}
	if end == 0 {
		return Span{}
	}
	return Span{start, start + end}
}

// quoted returns the length of the quoted scalar at the start of text, or 0 if the scalar does not
// end on this line.
func quoted(text []byte, quote byte) int {
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

// plain matches a text that is a plain scalar of YAML, unless it has ": " or " #" in it or is null.
var plain = text.Regexp(`^[A-Za-z0-9/._($]([ -~]*[!-9;-~])?$`)

// Scalar returns s as a YAML scalar: plain if that is safe, else in double quotes.
func Scalar(s string) string {
	special := strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.EqualFold(s, "null")
	if special || !plain.Get().MatchString(s) {
		return strconv.Quote(s)
	}
	return s
}
