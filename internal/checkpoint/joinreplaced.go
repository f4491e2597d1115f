package checkpoint

import (
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// Replaced is a text that a merge replaced, and that the file keeps.
type Replaced struct {
	Kind Kind // of the section that it was in
	part doc.Section
}

// Replaced returns the texts that a merge replaced, unless somebody has gone on since: those
// below the two newest deltas, and, where there is one delta at most, those of the file. What
// stood below a delta that was folded since is none.
func (c *Checkpoint) Replaced() []Replaced {
	var all []Replaced
	deltas := c.Deltas()
	for _, s := range c.Doc.Sections() {
		of, ok := ReplacedText(s)
		kind, known := KindNamed(of)
		folded := s.Level > 2 && (len(deltas) == 0 || s.Heading.Start < deltas[0].Section.Heading.Start)
		if ok && known && !folded && (len(deltas) < 2 || s.Heading.Start > deltas[len(deltas)-2].Section.Heading.Start) {
			all = append(all, Replaced{kind, s})
		}
	}
	return all
}

// JoinReplaced returns the checkpoint with these texts in front of those that replaced them,
// and no longer elsewhere.
func (c *Checkpoint) JoinReplaced() (*Checkpoint, error) {
	r := c.Revise()
	var cuts []doc.Span
	texts := map[Kind]string{}
	for _, was := range c.Replaced() {
		end := c.deltaEnd(was.part)
		cuts = append(cuts, doc.Span{Start: was.part.Heading.Start, End: end})
		texts[was.Kind] += strings.TrimSpace(c.Doc.Slice(doc.Span{Start: was.part.Heading.End, End: end})) + "\n\n"
	}
	for kind, text := range texts {
		if text += c.Text(kind); kind == Next {
			text = renumbered(text)
		}
		r.Text(kind, strings.TrimSpace(text))
	}
	return r.cutAll(cuts).Apply()
}

// renumbered returns numbered lists as one.
func renumbered(text string) string {
	var out []string
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		mark, rest, ok := strings.Cut(line, ". ")
		if _, err := strconv.Atoi(mark); ok && err == nil {
			n++
			line = strconv.Itoa(n) + ". " + rest
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
