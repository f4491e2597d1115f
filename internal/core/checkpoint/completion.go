package checkpoint

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/doc"
)

// Outcome is the Outcome of the Completion, "" where there is none.
func (c *Checkpoint) Outcome() string {
	p, ok := c.Find(Completion)
	if !ok {
		return ""
	}
	return strings.Join(c.completion(p, "outcome")["outcome"], " ")
}

// Learnings are the entries of the Completion's `**Learnings**:` field: text on
// its line, wrapped lines, a nested list, or a subsection of that name. "None
// noted" and the like are none.
func (c *Checkpoint) Learnings() []string {
	p, ok := c.Find(Completion)
	if !ok {
		return nil
	}
	var all []string
	for _, text := range c.completion(p, "learnings")["learnings"] {
		if !IsNone(text) {
			all = append(all, text)
		}
	}
	return all
}

// completion reads the fields by their lower-case names. A field's value is its
// entries: the text on its line first, then each bullet below it, wrapped lines
// joined. Only names the one field that is wanted, "" all.
func (c *Checkpoint) completion(p Place, only string) map[string][]string {
	f := fieldReader{entries: map[string][][]string{}, only: only}
	for line := range strings.Lines(c.Doc.Text(p.Extent)) {
		f.line(strings.TrimRight(line, "\r\n"))
	}
	values := make(map[string][]string, len(f.entries))
	for name, entries := range f.entries {
		values[name] = nil
		for _, lines := range entries {
			values[name] = append(values[name], strings.Join(lines, " "))
		}
	}
	return values
}

// fieldReader reads the fields of a Completion line by line.
type fieldReader struct {
	entries map[string][][]string // by field: the lines of each entry
	only    string                // the field that is wanted; "" for all
	name    string                // the field that is open
	indent  int                   // of its bullet; -1 for one that stands in a paragraph or a heading
	inline  bool                  // it has text on its own line
	wraps   bool                  // the next line goes on with its last entry
}

func (f *fieldReader) line(line string) {
	text := strings.TrimSpace(line)
	margin := len(line) - len(strings.TrimLeft(line, " "))
	name, value, bullet := fieldOf(line)
	switch {
	case text == "":
		f.wraps = false
	case text[0] == '#' && isSubheading(line):
		f.begin(strings.Trim(text, "#*: \t"), -1, "")
	case name != "" && f.ends(name, bullet, margin):
		if !bullet {
			margin = -1
		}
		f.begin(name, margin, strings.TrimSpace(value))
	case f.name == "":
	case afterMarker(line) >= 0:
		f.add(line[afterMarker(line):])
	case f.wraps:
		if f.wanted() {
			last := &f.entries[f.name][len(f.entries[f.name])-1]
			*last = append(*last, text)
		}
	default:
		f.add(text)
	}
}

// ends says whether a line that looks like a field begins one, rather than being
// an entry of the open field: `- **Always**: check` under Learnings is an entry.
func (f *fieldReader) ends(name string, bullet bool, margin int) bool {
	switch {
	case f.name == "" || knownField(name) && (margin <= f.indent || f.indent < 0):
		return true
	case !bullet || f.indent < 0 || margin > f.indent:
		return false
	}
	return f.name != "learnings" || f.inline
}

func (f *fieldReader) begin(name string, indent int, text string) {
	f.name, f.indent, f.inline, f.wraps = strings.ToLower(name), indent, text != "", false
	if _, ok := f.entries[f.name]; !ok && f.wanted() {
		f.entries[f.name] = nil
	}
	if text != "" {
		f.add(text)
	}
}

func (f *fieldReader) add(entry string) {
	if f.wraps = true; f.wanted() {
		f.entries[f.name] = append(f.entries[f.name], []string{strings.TrimSpace(entry)})
	}
}

func (f *fieldReader) wanted() bool { return f.only == "" || f.only == f.name }

func knownField(name string) bool {
	switch strings.ToLower(name) {
	case "status", "outcome", "date", "learnings":
		return true
	}
	return false
}

// completionFields writes the fields that a Completion is still without, and the
// learnings that it does not hold yet.
func completionFields(have map[string][]string, outcome string, learnings []string, now time.Time) string {
	var b strings.Builder
	missing := func(name string) bool { _, ok := have[name]; return !ok }
	if missing("status") {
		b.WriteString("- **Status**: Archived\n")
	}
	if missing("outcome") && strings.TrimSpace(outcome) != "" {
		b.WriteString("- **Outcome**: " + oneField(outcome) + "\n")
	}
	var fresh []string
	for _, l := range learnings {
		if l = oneField(l); l != "" && !slices.Contains(have["learnings"], l) && !slices.Contains(fresh, l) {
			fresh = append(fresh, l)
		}
	}
	if len(fresh) == 1 {
		b.WriteString("- **Learnings**: " + fresh[0] + "\n")
	} else if len(fresh) > 1 {
		b.WriteString("- **Learnings**:\n  - " + strings.Join(fresh, "\n  - ") + "\n")
	}
	if missing("date") {
		b.WriteString("- **Date**: " + FormatTime(now) + "\n")
	}
	return b.String()
}

// oneField is text on one line: a field is a bullet, and a bullet is read back
// by its line.
func oneField(text string) string { return strings.Join(strings.Fields(text), " ") }

// completionEdit adds fields to a Completion that is written already: behind its
// own text, before any subsection.
func (c *Checkpoint) completionEdit(p Place, fields string) doc.Edit {
	content := c.Doc.Content(p.Section.Body)
	blocks := c.Doc.Blocks(content)
	if len(blocks) == 0 {
		return c.fill(p, fields)
	}
	if blocks[len(blocks)-1].Kind != doc.List {
		fields = "\n" + fields
	}
	return c.insert(content.End, fields)
}
