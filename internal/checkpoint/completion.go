package checkpoint

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Outcome is the Outcome of the Completion, or what the Completion says in its own
// words where it has no such field; "" where there is neither.
func (c *Checkpoint) Outcome() string {
	p, ok := c.Find(Completion)
	if !ok {
		return ""
	}
	if text := strings.Join(c.completion(p, outcomeField).texts(outcomeField), " "); text != "" {
		return text
	}
	return c.outcomeInProse(p)
}

// Learnings are the entries of the Completion's `**Learnings**:` field: text on
// its line, wrapped lines, a nested list, or a subsection of that name. "None
// noted" and the like are none.
func (c *Checkpoint) Learnings() []string {
	p, ok := c.Find(Completion)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(c.completion(p, learningsField).texts(learningsField), IsNone)
}

// Completed returns the Date of the Completion, or the time of the last change where
// there is none.
func (c *Checkpoint) Completed() time.Time {
	if p, ok := c.Find(Completion); ok {
		for _, text := range c.completion(p, dateField).texts(dateField) {
			if t, ok := ParseTime(text); ok {
				return t
			}
		}
	}
	return c.Changed()
}

// completionField is a field of a Completion that the format knows.
type completionField int

const (
	unknownField completionField = iota - 1 // one of the writer's own
	statusField
	outcomeField
	dateField
	learningsField
	numFields
)

// fieldNames are the fields' names, which a file may write in any case.
var fieldNames = [numFields]string{"status", "outcome", "date", "learnings"}

func fieldNamed(name string) completionField {
	for field, known := range fieldNames {
		if len(name) == len(known) && strings.EqualFold(name, known) {
			return completionField(field)
		}
	}
	return unknownField
}

// completed is what a Completion says: the entries of each field that it has.
type completed [numFields]struct {
	has     bool
	entries []entry
}

// entry is the text on a line, and the lines that go on with it.
type entry struct {
	text    string
	wrapped []string
}

// texts are the entries of a field, wrapped lines joined: the text on its line first,
// then each bullet below it.
func (c *completed) texts(field completionField) []string {
	texts := make([]string, 0, len(c[field].entries))
	for _, e := range c[field].entries {
		if e.wrapped != nil {
			e.text += " " + strings.Join(e.wrapped, " ")
		}
		texts = append(texts, e.text)
	}
	return texts
}

// completion reads the fields of a Completion: all that are known, or only one.
func (c *Checkpoint) completion(p Section, only completionField) *completed {
	r := fieldReader{only: only}
	for line := range strings.Lines(c.Doc.Text(p.Extent)) {
		r.line(strings.TrimSuffix(line, "\n"))
	}
	return &r.completed
}

// fieldReader reads the fields of a Completion line by line.
type fieldReader struct {
	completed
	only   completionField // the field that is wanted; unknownField for all
	name   string          // of the field that is open
	field  completionField // that it is
	indent int             // of its bullet; -1 for one that stands in a paragraph or a heading
	inline bool            // it has text on its own line
	wraps  bool            // the next line goes on with its last entry
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
		f.add(strings.TrimSpace(line[afterMarker(line):]))
	case f.wraps:
		f.wrap(text)
	default:
		f.add(text)
	}
}

// ends says whether a line that looks like a field begins one, rather than being
// an entry of the open field: `- **Always**: check` under Learnings is an entry.
func (f *fieldReader) ends(name string, bullet bool, margin int) bool {
	switch {
	case f.name == "" || fieldNamed(name) != unknownField && (margin <= f.indent || f.indent < 0):
		return true
	case !bullet || f.indent < 0 || margin > f.indent:
		return false
	}
	return f.field != learningsField || f.inline
}

func (f *fieldReader) begin(name string, indent int, text string) {
	f.name, f.field, f.indent, f.inline, f.wraps = name, fieldNamed(name), indent, text != "", false
	if f.wanted() {
		f.completed[f.field].has = true
	}
	if text != "" {
		f.add(text)
	}
}

// add adds an entry to the open field.
func (f *fieldReader) add(text string) {
	if f.wraps = true; f.wanted() {
		open := &f.completed[f.field]
		open.entries = append(open.entries, entry{text: text})
	}
}

// wrap goes on with the last entry of the open field.
func (f *fieldReader) wrap(text string) {
	if f.wanted() {
		entries := f.completed[f.field].entries
		last := &entries[len(entries)-1]
		last.wrapped = append(last.wrapped, text)
	}
}

// wanted says whether the open field is to be read.
func (f *fieldReader) wanted() bool {
	return f.field != unknownField && (f.only == unknownField || f.only == f.field)
}

// CompletionFields is a Completion in the fields of the format.
type CompletionFields struct {
	Status, Date        string
	Outcomes, Learnings []string
}

// ReadCompletion reads the text of a Completion. It reports false where the text has
// anything besides the fields of the format.
func ReadCompletion(text string) (f CompletionFields, ok bool) {
	r := fieldReader{only: unknownField}
	for line := range strings.Lines(text) {
		r.line(strings.TrimSuffix(line, "\n"))
		if strings.TrimSpace(line) != "" && (r.field == unknownField || r.name == "" || isSubheading(strings.TrimSuffix(line, "\n"))) {
			return f, false
		}
	}
	f.Status, f.Date = strings.Join(r.texts(statusField), " "), strings.Join(r.texts(dateField), " ")
	f.Outcomes, f.Learnings = r.texts(outcomeField), r.texts(learningsField)
	return f, true
}

// String writes the fields as Archive does.
func (f CompletionFields) String() string {
	var b strings.Builder
	write := func(name string, texts ...string) {
		switch {
		case len(texts) == 1 && texts[0] != "":
			b.WriteString("- **" + name + "**: " + texts[0] + "\n")
		case len(texts) > 1:
			b.WriteString("- **" + name + "**:\n  - " + strings.Join(texts, "\n  - ") + "\n")
		}
	}
	write("Status", f.Status)
	write("Outcome", f.Outcomes...)
	write("Learnings", f.Learnings...)
	write("Date", f.Date)
	return b.String()
}

// completionFields writes the fields that a Completion is still without, and the
// learnings that it does not hold yet.
func completionFields(have *completed, outcome string, learnings []string, now time.Time) string {
	var b strings.Builder
	if !have[statusField].has {
		b.WriteString("- **Status**: Archived\n")
	}
	if !have[outcomeField].has && strings.TrimSpace(outcome) != "" {
		b.WriteString("- **Outcome**: " + text.OneLine(outcome) + "\n")
	}
	known := have.texts(learningsField)
	var fresh []string
	for _, l := range learnings {
		if l = text.OneLine(l); l != "" && !slices.Contains(known, l) && !slices.Contains(fresh, l) {
			fresh = append(fresh, l)
		}
	}
	b.WriteString(CompletionFields{Learnings: fresh}.String())
	if !have[dateField].has {
		b.WriteString("- **Date**: " + FormatTime(now) + "\n")
	}
	return b.String()
}

// completionEdit adds fields to a Completion that is written already: behind its
// own text, before any subsection.
func (c *Checkpoint) completionEdit(p Section, fields string) doc.Edit {
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
