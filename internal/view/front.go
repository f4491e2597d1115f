package view

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/term"
)

// field is one row of the table that shows the frontmatter.
type field struct{ key, value string }

// cutFront separates the frontmatter from a document.
func cutFront(markdown string) (fields []field, body string) {
	all, inner, _ := doc.FrontSpan([]byte(markdown))
	return readFields(markdown[inner.Start:inner.End]), markdown[all.End:]
}

// readFields reads YAML as a person does: a text at the left edge before a colon is a key, and
// everything else belongs to the key above. It shows values as they are written and omits only
// comment lines, so that it can show invalid frontmatter, too.
func readFields(yaml string) []field {
	var fields []field
	for line := range strings.SplitSeq(yaml, "\n") {
		text := strings.TrimSpace(line)
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		key, value, isKey := strings.Cut(line, ":")
		switch {
		case isKey && strings.TrimLeft(key, " \t-") == key && (value == "" || value[0] == ' ' || value[0] == '\t'):
			fields = append(fields, field{strings.TrimSpace(key), unquote(strings.TrimSpace(value))})
		case len(fields) == 0:
			fields = append(fields, field{"", text})
		default:
			last := &fields[len(fields)-1]
			last.value = goOn(last.value, text)
		}
	}
	return fields
}

// goOn appends a continued line to a value: list items are joined with commas, text with a space.
func goOn(value, text string) string {
	item, isItem := strings.CutPrefix(text, "- ")
	switch {
	case value == "":
		return unquote(strings.TrimSpace(item))
	case isItem:
		return value + ", " + unquote(strings.TrimSpace(item))
	}
	return value + " " + text
}

// unquote removes the quotes around plain text.
func unquote(value string) string {
	n := len(value)
	if n < 2 || strings.IndexByte(`"'`, value[0]) < 0 || value[n-1] != value[0] {
		return value
	}
	if strings.ContainsAny(value[1:n-1], `\"'`) {
		return value
	}
	return value[1 : n-1]
}

const (
	frontMargin = "  " // equal to the margin of the page
	frontGap    = "  "
	widestKey   = 20
)

// drawFront returns the fields as two columns, with long values wrapped within their column. It
// returns "" if there are no fields.
func drawFront(fields []field, look Look) string {
	if len(fields) == 0 {
		return ""
	}
	style := term.Style{On: look.Colors != termenv.Ascii}
	const usual, least = 10, 16 // the width of "checkpoint"; that of the margins and a short value
	column := 0
	for _, f := range fields {
		column = max(column, min(ansi.StringWidth(f.key), widestKey, max(look.Width/3, min(usual, look.Width-least))))
	}
	room := max(look.Width-len(frontMargin)-column-len(frontGap), 1)
	var out strings.Builder
	for _, f := range fields {
		keys := strings.Split(ansi.Wrap(f.key, column, ""), "\n")
		values := strings.Split(ansi.Wrap(f.value, room, "/"), "\n")
		for i := range max(len(keys), len(values)) {
			key, value := at(keys, i), at(values, i)
			pad := strings.Repeat(" ", max(column-ansi.StringWidth(key), 0))
			line := frontMargin + style.Dim(key) + pad + frontGap + value
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return out.String()
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
