package checkpoint

import (
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// thenSuffix ends the title above a text that a merge replaced.
const thenSuffix = " then"

// ReplacedTitle returns the title for the former text of a section: "Current State
// then".
func ReplacedTitle(section string) string {
	if strings.HasSuffix(section, thenSuffix) {
		return section
	}
	return section + thenSuffix
}

// ReplacedText reports whether a section has a text that a merge replaced, and returns the section
// that the text was in. If two branches changed Current State, the earlier text goes below its
// delta, or after all sections in a file without deltas.
func ReplacedText(s doc.Section) (of string, ok bool) {
	of, ok = strings.CutSuffix(s.Title, thenSuffix)
	return of, ok && s.Level <= 3
}

// Replaced is a text that a merge replaced and moved elsewhere in the file.
type Replaced struct {
	Kind Kind // the section that it was in
	part doc.Section
}

// Replaced returns the texts that a merge replaced recently. These are the texts below the two
// newest deltas; in a file with at most one delta, all of the file. It does not return a text from
// a delta that was folded.
func (c *Checkpoint) Replaced() []Replaced {
	var all []Replaced
	deltas := c.Deltas()
	for _, s := range c.Doc.Sections() {
		of, ok := ReplacedText(s)
		kind, known := KindNamed(of)
		folded := s.Level > 2 && (len(deltas) == 0 || s.Heading.Start < deltas[0].Section.Heading.Start)
		recent := len(deltas) < 2 || s.Heading.Start > deltas[len(deltas)-2].Section.Heading.Start
		if named := ok && known; named && recent && !folded {
			all = append(all, Replaced{kind, s})
		}
	}
	return all
}

// JoinReplaced returns the checkpoint with these texts moved back, before the texts that replaced
// them.
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
		text += c.Text(kind)
		if kind == Next {
			text = renumbered(text)
		}
		r.Text(kind, strings.TrimSpace(text))
	}
	return r.cutAll(cuts).Apply()
}

// renumbered numbers the items of several lists as one list.
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
