package doc

import (
	"bytes"
	"strings"
)

// Literal writes what a person typed so that it stays the text of one section:
// lines that would be headings or rules get a backslash, and a code fence that
// is left open is closed. Everything else is as typed.
func Literal(text string) string {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for range strings.Count(text, "\n") + 1 {
		escaped := escapeFirst(text)
		if escaped == text {
			break
		}
		text = escaped
	}
	return closeFence(text)
}

// escapeFirst escapes the first line of text that Markdown would read as a
// heading or a rule.
func escapeFirst(text string) string {
	src := []byte(text)
	b := parseBody(src, 0)
	at := -1
	if len(b.sections) > 0 {
		h := b.sections[0].Heading
		at = h.Start
		if first := bytes.TrimLeft(src[h.Start:h.End], " "); len(first) == 0 || first[0] != '#' {
			at = lineStart(src, trimBlank(src, h.Start, h.End)-1) // a setext heading's underline
		}
	}
	for _, block := range b.blocks {
		if block.Kind == Rule && (at < 0 || block.Span.Start < at) {
			at = block.Span.Start
		}
	}
	if at < 0 {
		return text
	}
	for at < len(src) && src[at] == ' ' {
		at++
	}
	return text[:at] + `\` + text[at:]
}

// closeFence ends a fence that runs to the end of text without its closing line.
func closeFence(text string) string {
	probe := text + "\n\n# x\n"
	if b := parseBody([]byte(probe), 0); len(b.sections) > 0 {
		return text
	}
	for _, fence := range []string{"```", "~~~", "````", "~~~~", "`````", "~~~~~", "``````", "-->"} {
		closed := text + "\n" + fence
		if b := parseBody([]byte(closed+"\n\n# x\n"), 0); len(b.sections) > 0 {
			return closed
		}
	}
	return text // Apply will refuse it, by name
}
