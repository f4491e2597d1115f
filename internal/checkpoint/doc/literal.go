package doc

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/text"
)

// Literal returns a text that can be part of one section: lines that would be headings, rules or the first markers of
// conflicts get a backslash, and an open code fence or comment is closed. Everything else is unchanged.
func Literal(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = trimBlankLines(text)
	for range 32 { // an escape can turn lines below it into headings; Apply refuses a text that still has headings
		escaped := escape(text)
		if escaped == text {
			break
		}
		text = escaped
	}
	return Closed(text)
}

var escapes = text.Regexp(`(?m)^( *)\\([#=*_-]|<{7} )`)

// Given returns the text from which Literal made the given one. It does not change a text that Literal did not make.
func Given(literal string) string {
	if strings.IndexByte(literal, '\\') < 0 {
		return literal
	}
	if text := escapes.Get().ReplaceAllString(literal, "$1$2"); Literal(text) == literal {
		return text
	}
	return literal
}

// escape puts a backslash before every heading, every rule and the first marker of every conflict.
func escape(text string) string {
	src := []byte(text)
	b := parseBody(src, 0)
	var at []int
	for _, s := range b.sections {
		h := s.Heading
		at = append(at, lineStart(src, trimBlank(src, h.Start, h.End)-1)) // the heading's only line, or its underline
	}
	for _, block := range b.blocks {
		for i := block.Span.Start; i < block.Span.End && block.Kind != Other; i = lineEnd(src, i) {
			if block.Kind == Rule || bytes.HasPrefix(src[i:], []byte("<<<<<<< ")) {
				at = append(at, i)
			}
		}
	}
	slices.Sort(at)
	var out strings.Builder
	done := 0
	for _, i := range at {
		for i < len(src) && src[i] == ' ' {
			i++
		}
		out.WriteString(text[done:i] + `\`)
		done = i
	}
	return out.String() + text[done:]
}

// Closed returns a text with its last fence or HTML block closed.
func Closed(text string) string {
	b := parseBody([]byte(text), 0)
	_, closer := b.leftOpen([]byte(text))
	if closer == "" {
		return text
	}
	return text + "\n" + closer
}

// IsBlank reports whether a text has nothing but white space and comments, of which the last may be open.
func IsBlank(text string) bool {
	b := parseBody([]byte(Closed(text)), 0)
	isComment := func(block Block) bool { return block.Kind == Comment }
	return len(b.sections) == 0 && len(slices.DeleteFunc(b.blocks, isComment)) == 0
}

// Below returns Markdown that can be the text of a section of the given level: its headings are
// made deeper than that level, and an open fence or comment is closed.
func Below(level int, text string) string { return Closed(Deeper(level, text)) }

// Deeper returns Markdown with its headings made deeper than the given level.
func Deeper(level int, text string) string {
	src := []byte(text)
	sections := parseBody(src, 0).sections
	down := 0
	for _, s := range sections {
		down = max(down, level+1-s.Level)
	}
	if down == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, s := range sections {
		out.WriteString(text[at:s.Heading.Start] + strings.Repeat("#", min(s.Level+down, 6)) + " " + s.Title + "\n")
		at = s.Heading.End
	}
	out.WriteString(text[at:])
	return strings.TrimRight(out.String(), "\n")
}
