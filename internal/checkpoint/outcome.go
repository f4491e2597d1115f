package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// outcomeInProse returns the first paragraph of a Completion that is no field of it,
// with the list that it introduces, else the first such list. What stands below a
// subheading such as Learnings or Remaining is not the outcome.
func (c *Checkpoint) outcomeInProse(p Section) string {
	bodies := []doc.Span{p.Section.Body}
	for _, s := range c.Doc.Sections() {
		status := StatusOf(s.Title)
		if p.Extent.Contains(s.Heading) && fieldNamed(plainTitle(s.Title)) == unknownField && (status == Unstated || status == Finished) {
			bodies = append(bodies, s.Body)
		}
	}
	for _, body := range bodies {
		if text := c.firstWords(body); !IsNone(text) {
			return text
		}
	}
	return ""
}

// firstWords returns the first paragraph of a span with the list that it introduces,
// or the first list, on one line and without the fields of a Completion.
func (c *Checkpoint) firstWords(s doc.Span) string {
	text := ""
	for _, b := range c.Doc.Blocks(s) {
		var words []string
		switch b.Kind {
		case doc.Paragraph:
			for line := range strings.Lines(c.Doc.Slice(b.Span)) {
				words = appendWords(words, line)
			}
		case doc.List:
			for _, item := range c.Doc.Items(b.Span) {
				words = appendWords(words, item.Text)
			}
		}
		switch said := strings.Join(words, " "); {
		case said == "":
		case text != "":
			return text + " " + said
		case b.Kind == doc.List || !strings.HasSuffix(said, ":"):
			return said
		default:
			text = said
		}
	}
	return text
}

// appendWords appends a text on one line, unless it is a field of a Completion.
func appendWords(words []string, s string) []string {
	if name, _, _ := fieldOf(s); fieldNamed(name) != unknownField {
		return words
	}
	return append(words, text.OneLine(s))
}
