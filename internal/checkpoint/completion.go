package checkpoint

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Outcome returns the Outcome of the Completion, or the first words of a Completion
// without that field.
func (c *Checkpoint) Outcome() string {
	p, ok := c.Find(Completion)
	if !ok {
		return ""
	}
	if text := strings.Join(c.completion(p).texts(outcomeField), " "); text != "" {
		return text
	}
	return c.outcomeInProse(p)
}

// Learnings returns the entries of the Completion's `**Learnings**:` field: text on its
// line, wrapped lines, a nested list, or a subsection of that name. "None noted" and the
// like do not count.
func (c *Checkpoint) Learnings() []string {
	p, ok := c.Find(Completion)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(c.completion(p).texts(learningsField), IsNone)
}

// Completed returns the Date of the Completion. Without a date it returns the time of the last
// change.
func (c *Checkpoint) Completed() time.Time {
	if p, ok := c.Find(Completion); ok {
		for _, text := range c.completion(p).texts(dateField) {
			if t, ok := ParseTime(text); ok {
				return t
			}
		}
	}
	return c.Changed()
}

// completionField is a field of a Completion that the format defines.
type completionField int

const (
	unknownField completionField = iota - 1 // a field that only the writer knows
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

// completed has a Completion by its fields.
type completed [numFields]struct {
	has     bool
	entries []entry
}

// entry is the text on a line, with the lines that continue it.
type entry struct {
	text    string
	wrapped []string
}

// texts returns the entries of a field with wrapped lines joined: first the text on the field's own
// line, then each bullet below it.
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

// completion reads the fields of a Completion that the format defines.
func (c *Checkpoint) completion(p Section) *completed {
	var r fieldReader
	for line := range strings.Lines(c.Doc.Text(p.Extent)) {
		r.line(strings.TrimSuffix(line, "\n"))
	}
	return &r.completed
}

// fieldReader reads the fields of a Completion line by line.
type fieldReader struct {
	completed
	name   string          // the name of the open field, to which the next lines belong
	field  completionField // the open field
	indent int             // the indent of its bullet; -1 for a field in a paragraph or a heading
	inline bool            // the open field has text on its own line
	wraps  bool            // the next line continues the last entry
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

// ends reports whether a line that looks like a field ends the open one. If not, it is an entry of
// the open field, as `- **Always**: check` is under Learnings.
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
	if f.field != unknownField {
		f.completed[f.field].has = true
	}
	if text != "" {
		f.add(text)
	}
}

// add adds an entry to the open field.
func (f *fieldReader) add(text string) {
	f.wraps = true
	if f.field != unknownField {
		open := &f.completed[f.field]
		open.entries = append(open.entries, entry{text: text})
	}
}

// wrap adds a line to the last entry of the open field.
func (f *fieldReader) wrap(text string) {
	if f.field != unknownField {
		entries := f.completed[f.field].entries
		last := &entries[len(entries)-1]
		last.wrapped = append(last.wrapped, text)
	}
}

// CompletionFields has the fields of a Completion that the format defines.
type CompletionFields struct {
	Status, Date        string
	Outcomes, Learnings []string
}

// ReadCompletion parses the text of a Completion. It reports false if the text has anything besides
// the fields of the format.
func ReadCompletion(text string) (f CompletionFields, ok bool) {
	var r fieldReader
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		r.line(line)
		inField := r.field != unknownField && r.name != "" && !isSubheading(line)
		if strings.TrimSpace(line) != "" && !inField {
			return f, false
		}
	}
	return r.fields(), true
}

// CompletionFields returns the fields of the Completion, which are empty without one.
func (c *Checkpoint) CompletionFields() CompletionFields {
	p, ok := c.Find(Completion)
	if !ok {
		return CompletionFields{}
	}
	return c.completion(p).fields()
}

func (c *completed) fields() CompletionFields {
	return CompletionFields{
		Status: strings.Join(c.texts(statusField), " "), Date: strings.Join(c.texts(dateField), " "),
		Outcomes: c.texts(outcomeField), Learnings: c.texts(learningsField),
	}
}

// String returns the fields in the form in which Archive writes them.
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

// MissingFields returns the fields that the Completion of c lacks, all of them without one,
// and the learnings that are not in it, as Markdown. It refuses an outcome other than the one
// that is there.
func MissingFields(c *Checkpoint, outcome string, learnings []string, now time.Time) (string, error) {
	var have completed
	if p, ok := c.Find(Completion); ok {
		have = *c.completion(p)
	}
	said := have.texts(outcomeField)
	if len(said) > 0 && outcome != "" && text.OneLine(outcome) != strings.Join(said, " ") {
		return "", fault.New(fault.Usage, "the Completion of %s has an outcome already", c.ID).
			WithHint("ckpt archive %s, or ckpt edit %s", c.ID, c.ID)
	}
	return have.missing(outcome, learnings, now).String(), nil
}

func (have *completed) missing(outcome string, learnings []string, now time.Time) CompletionFields {
	var f CompletionFields
	if !have[statusField].has {
		f.Status = "Archived"
	}
	if len(have[outcomeField].entries) == 0 {
		f.Outcomes = []string{text.OneLine(outcome)}
	}
	if !have[dateField].has {
		f.Date = FormatTime(now)
	}
	known := have.texts(learningsField)
	for _, l := range learnings {
		l = text.OneLine(l)
		if l != "" && !slices.Contains(known, l) && !slices.Contains(f.Learnings, l) {
			f.Learnings = append(f.Learnings, l)
		}
	}
	return f
}

// WrittenByArchive reports whether the Completion of c is exactly what an archive adds, or
// what a merge makes of two such Completions: each outcome after its date.
func WrittenByArchive(c *Checkpoint) bool {
	p, _ := c.Find(Completion)
	text := strings.TrimSpace(strings.ReplaceAll(c.Doc.Slice(p.Extent), c.Doc.EOL(), "\n"))
	have, ok := ReadCompletion(text)
	at, dated := ParseTime(have.Date)
	if !ok || !dated {
		return false
	}
	if len(have.Outcomes) < 2 {
		wrote := new(completed).missing(strings.Join(have.Outcomes, ""), have.Learnings, at)
		return text == strings.TrimSpace(wrote.String())
	}
	undated := slices.ContainsFunc(have.Outcomes, func(outcome string) bool {
		date, _, _ := strings.Cut(outcome, ": ")
		_, ok := ParseTime(date)
		return !ok
	})
	return !undated && text == strings.TrimSpace(have.String())
}

// outcomeInProse returns the first paragraph of a Completion that is not a field, with the list
// that it introduces. If the first such block is a list, it returns that. Text below a subheading
// such as Learnings or Remaining is not the outcome.
func (c *Checkpoint) outcomeInProse(p Section) string {
	bodies := []doc.Span{p.Section.Body}
	for _, s := range c.Doc.Sections() {
		status := StatusOf(s.Title)
		finished := status == Unstated || status == Finished
		if finished && p.Extent.Contains(s.Heading) && fieldNamed(doc.PlainTitle(s.Title)) == unknownField {
			bodies = append(bodies, s.Body)
		}
	}
	for _, body := range bodies {
		if text := firstWords(c.Doc, body); !IsNone(text) {
			return text
		}
	}
	return ""
}

// firstWords returns the first paragraph of a span, with the list that it introduces, or the first
// list. The result is one line without the fields of a Completion and the learnings below theirs.
func firstWords(d *doc.Doc, s doc.Span) string {
	said, learned := "", false
	add := func(words []string, s string) []string {
		name, _, _ := fieldOf(s)
		if field := fieldNamed(name); field != unknownField {
			learned = field == learningsField
			return words
		}
		if learned {
			return words
		}
		return append(words, text.OneLine(s))
	}
	for _, b := range d.Blocks(s) {
		var words []string
		switch b.Kind {
		case doc.Paragraph:
			for line := range strings.Lines(d.Slice(b.Span)) {
				words = add(words, line)
			}
		case doc.List:
			for _, item := range d.Items(b.Span) {
				words = add(words, item.Text)
			}
		}
		next := strings.Join(words, " ")
		switch {
		case next == "":
		case said != "":
			return said + " " + next
		case b.Kind == doc.List || !strings.HasSuffix(next, ":"):
			return next
		default:
			said = next
		}
	}
	return said
}

// isWhite reports whether c separates words within a line.
func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\r' || c == '\n' }

// trimWhite returns text without the white space before it.
func trimWhite(text string) string {
	for text != "" && isWhite(text[0]) {
		text = text[1:]
	}
	return text
}

// fieldOf parses `- **Outcome**: text`, with or without its bullet. The fields of the format need
// not be bold: `- Outcome: text`. The name is "" if the line is not a field.
func fieldOf(line string) (name, value string, bullet bool) {
	text := trimWhite(line)
	if len(text) > 1 && strings.IndexByte("-*+", text[0]) >= 0 && isWhite(text[1]) {
		text, bullet = trimWhite(text[1:]), true
	}
	name, value = boldField(text)
	if name == "" {
		name, value = plainField(text)
	}
	return name, value, bullet
}

// boldField parses `**Name**: value`. The colon may be inside the bold part or missing.
func boldField(text string) (name, value string) {
	text, bold := strings.CutPrefix(text, "**")
	n := 0
	for n < len(text) && (isLetter(text[n]) || n > 0 && text[n] == ' ') {
		n++
	}
	rest, closed := strings.CutPrefix(strings.TrimPrefix(text[n:], ":"), "**")
	if !bold || !closed {
		return "", ""
	}
	rest = strings.TrimPrefix(trimWhite(rest), ":")
	return text[:n], trimWhite(rest)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// plainField parses `Name: value` and `_Name_: value` for the names of the format's fields.
func plainField(text string) (name, value string) {
	text = strings.TrimPrefix(text, "_")
	for _, known := range fieldNames {
		if n := len(known); len(text) > n && strings.EqualFold(text[:n], known) {
			rest, ok := strings.CutPrefix(trimWhite(strings.TrimPrefix(text[n:], "_")), ":")
			value = trimWhite(rest)
			if ok && (rest == "" || value != rest) {
				return text[:n], value
			}
		}
	}
	return "", ""
}

// isSubheading reports whether a line is a heading with hashes.
func isSubheading(line string) bool {
	text := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(text, "#")
	level := len(text) - len(rest)
	return len(line)-len(text) < 4 && 0 < level && level < 7 && (rest == "" || isWhite(rest[0]))
}

// afterMarker returns the offset of the text in the first line of a list item, or -1 if
// the line is not one.
func afterMarker(line string) int {
	text := trimWhite(line)
	rest := strings.TrimLeft(text, "0123456789")
	marks := "-*+"
	if len(rest) < len(text) {
		marks = ".)" // characters that may follow a number
	}
	if rest == "" || strings.IndexByte(marks, rest[0]) < 0 {
		return -1
	}
	rest = rest[1:]
	text = trimWhite(rest)
	if text == rest {
		return -1
	}
	return len(line) - len(text)
}
