package view

import (
	"regexp"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// special matches the characters to escape, which have a meaning in Markdown, and addresses, which are not escaped.
var special = regexp.MustCompile("https?://\\S+|[\\\\`*_{}\\[\\]<>#+=!|~]|^-+$")

// frontAsList returns a document with its frontmatter as a list, whose values are shown as they are written.
// A line with a key at the left edge is an item, and any other line belongs to the item above: this works for
// invalid YAML, too. Comment lines are left out.
func frontAsList(markdown string) string {
	all, inner, ok := doc.FrontSpan([]byte(markdown))
	if !ok {
		return markdown
	}
	var b strings.Builder
	for line := range strings.Lines(markdown[inner.Start:inner.End]) {
		text := special.ReplaceAllStringFunc(strings.TrimSpace(line), func(found string) string {
			if strings.HasPrefix(found, "http") {
				return found
			}
			return `\` + found
		})
		key, value, isKey := strings.Cut(text, ":")
		switch {
		case text == "" || strings.HasPrefix(text, `\#`):
		case isKey && strings.TrimLeft(line, " \t-") == line:
			b.WriteString("- **" + key + "**:" + value + "\n")
		default:
			b.WriteString("  " + text + "\n")
		}
	}
	return b.String() + "\n" + markdown[all.End:]
}
