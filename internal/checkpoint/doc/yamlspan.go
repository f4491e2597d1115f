package doc

import (
	"bytes"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// scalarValue is the text of a scalar; of anything else the text as written.
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

// scalarSpan is the text of a scalar that stands on one line, quotes included;
// empty for anything that has to be replaced as a whole.
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

// hole is where the value of a key goes that has none: behind its colon, before
// a comment on its line. It is 0 where there is a value, or no such place.
func hole(src []byte, key Span, value *yaml.Node) int {
	if key.Len() == 0 || value.Kind != yaml.ScalarNode || value.Tag != "!!null" || value.Value != "" || value.Anchor != "" || value.Style != 0 {
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

// quoted is the length of a quoted scalar at the start of text, 0 where it does
// not end on this line.
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

// lineOffsets says where each line of inner begins, counted as YAML counts:
// it breaks lines at more characters than an editor does.
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

// breakLen is the length of the YAML line break at the start of text, else 0.
func breakLen(text []byte) int {
	for _, s := range [...]string{"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if len(text) >= len(s) && string(text[:len(s)]) == s {
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

// withoutTrailer leaves the comments and blank lines that stand before the next
// key to the next key.
func withoutTrailer(src []byte, s Span) int {
	end := max(s.End, s.Start)
	for end > s.Start {
		line := lineStart(src, end-1)
		text := bytes.TrimSpace(src[line:end])
		if line <= s.Start || len(text) > 0 && (src[line] != '#' || !bytes.HasPrefix(text, []byte("#"))) {
			break
		}
		end = line
	}
	return end
}
