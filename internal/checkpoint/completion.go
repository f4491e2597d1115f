package checkpoint

import (
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Outcome returns the Outcome field of the Completion. Without that field it returns the first paragraph
// or list outside of the fields. A paragraph that ends with a colon includes the list below it.
func (c *Checkpoint) Outcome() string {
	f := c.completion()
	if outcome := strings.Join(f.entries[outcomeField], " "); outcome != "" {
		return outcome
	}
	prose := ""
	for _, said := range f.entries[noField] {
		if said == "" && !strings.HasSuffix(prose, ":") {
			break
		}
		prose = strings.TrimSpace(prose + " " + said)
	}
	if IsNone(prose) {
		return ""
	}
	return prose
}

// Learnings returns the entries of the Completion's `**Learnings**:` field: text on its
// line, wrapped lines, a nested list, or a subsection of that name. "None noted" and the
// like do not count, unless more text follows.
func (c *Checkpoint) Learnings() []string {
	return slices.DeleteFunc(c.completion().entries[learningsField], IsBareNone)
}

// Completed returns the Date of the Completion. Without a date it returns the time of the last
// change.
func (c *Checkpoint) Completed() time.Time {
	for _, text := range c.completion().entries[dateField] {
		if t, ok := ParseTime(text); ok {
			return t
		}
	}
	return c.Changed()
}

// The fields of a Completion that the format defines, in lower case. A file may write them in any case.
const (
	statusField    = "status"
	outcomeField   = "outcome"
	learningsField = "learnings"
	dateField      = "date"
	noField        = "" // text outside of fields
)

func isFormatField(name string) bool {
	return slices.Contains([]string{statusField, outcomeField, learningsField, dateField}, name)
}

// fieldReader reads a Completion line by line.
type fieldReader struct {
	// entries maps the name of each field, in lower case, to its entries: the text on the field's own line,
	// then each bullet below it. Wrapped lines are joined. An empty entry of noField ends a block.
	entries map[string][]string

	name   string // the open field, to which the next lines belong
	indent int    // the indent of the open field's bullet; -1 if the field is in a paragraph or a heading
	filled bool   // the open field has text on its line or bullets below it; for Learnings, bullets beside it count, too
	wraps  bool   // the next line continues the last entry unless it has a marker
	text   int    // the indent of the text of the open list item; 0 outside of lists
	fence  string // the backticks or tildes of the open code fence; "" if none is open
}

// completion reads the Completion. Without a Completion the reader has no entries.
func (c *Checkpoint) completion() *fieldReader { return readFields(c.Text(Completion)) }

func readFields(text string) *fieldReader {
	f := &fieldReader{entries: map[string][]string{}}
	for line := range strings.Lines(text) {
		f.line(strings.TrimSuffix(line, "\n"))
	}
	return f
}

func (f *fieldReader) line(line string) {
	text := strings.TrimSpace(line)
	margin := len(line) - len(strings.TrimLeft(line, " "))
	name, value, bullet := fieldOf(line)
	item := afterMarker(line)
	switch {
	case f.fence != "" && (text == "" || margin >= f.text): // a line of code; the code ends at the end of its list item
		if strings.HasPrefix(text, f.fence) && strings.Trim(text, f.fence[:1]) == "" {
			f.fence = ""
		}
		f.extend(text)
		return
	case text == "":
		f.endBlock()
		return
	case item > 0 || margin < f.text:
		f.text = item
	}
	switch {
	case subheading.Get().MatchString(line) && f.text == 0:
		f.begin(subheadingField(strings.TrimLeft(text, "#")), -1, "")
		return
	case name != "" && f.ends(name, bullet, margin):
		if !bullet {
			margin = -1
		}
		f.begin(name, margin, value)
		return
	case margin <= f.indent && f.isOver(item > 0):
		f.begin(noField, -1, "")
	}
	f.fence = ""
	text = strings.TrimSpace(line[item:])
	if m := codeFence.Get().FindStringSubmatch(text); m != nil {
		f.fence = m[1]
	}
	if f.wraps && item == 0 {
		f.extend(text)
		return
	}
	if item > 0 && (margin > f.indent || f.name == learningsField) {
		f.filled = f.filled || margin > f.indent || name == ""
	}
	f.add(text)
}

// extend adds a line to the last entry.
func (f *fieldReader) extend(text string) {
	entries := f.entries[f.name]
	entries[len(entries)-1] = strings.TrimSpace(entries[len(entries)-1] + " " + text)
}

// ends reports whether a line that looks like a field ends the open field. A line that does not end the field is an
// entry of it, such as `- **Always**: check` beside a Learnings field that is not filled yet.
func (f *fieldReader) ends(name string, bullet bool, margin int) bool {
	switch {
	case f.name == noField || isFormatField(name) && (margin <= f.indent || f.indent < 0):
		return true
	case margin > max(f.indent, 0) || bullet == (f.indent < 0):
		return false
	}
	return f.name != learningsField || f.filled
}

// isOver reports whether a line that is not nested in the open field's bullet ends the field. A bullet does if the
// field is filled, except Learnings. Other text does unless it continues an entry.
func (f *fieldReader) isOver(bullet bool) bool {
	if bullet {
		return f.filled && f.name != learningsField
	}
	return !f.wraps
}

func (f *fieldReader) begin(name string, indent int, text string) {
	f.endBlock()
	f.name, f.indent, f.filled = name, indent, text != ""
	if _, ok := f.entries[name]; !ok {
		f.entries[name] = nil // the text has the field, even if it is empty
	}
	if text != "" {
		f.add(text)
	}
}

func (f *fieldReader) add(text string) {
	f.entries[f.name] = append(f.entries[f.name], text)
	f.wraps = true
}

func (f *fieldReader) endBlock() {
	if f.wraps && f.name == noField {
		f.entries[noField] = append(f.entries[noField], "")
	}
	f.wraps = false
}

// subheadingField returns the field that a subheading opens. A title such as "Not done" opens a
// field of its own, since the text below it is not an outcome.
func subheadingField(title string) string {
	name := doc.PlainTitle(title)
	if status := StatusOf(title); isFormatField(name) || status != Unstated && status != Finished {
		return name
	}
	return noField
}

// CompletionFields has the fields of a Completion that the format defines.
type CompletionFields struct {
	Status, Date        string
	Outcomes, Learnings []string
}

// ReadCompletion parses the text of a Completion. It reports false if the text has anything besides
// the fields of the format.
func ReadCompletion(text string) (f CompletionFields, ok bool) {
	r := readFields(text)
	ok = !slices.ContainsFunc(slices.Collect(maps.Keys(r.entries)), func(name string) bool { return !isFormatField(name) })
	for line := range strings.Lines(text) {
		ok = ok && !subheading.Get().MatchString(line)
	}
	return r.fields(), ok
}

// CompletionFields returns the fields of the Completion. Without a Completion they are empty.
func (c *Checkpoint) CompletionFields() CompletionFields { return c.completion().fields() }

func (f *fieldReader) fields() CompletionFields {
	return CompletionFields{
		Status: strings.Join(f.entries[statusField], " "), Date: strings.Join(f.entries[dateField], " "),
		Outcomes: f.entries[outcomeField], Learnings: f.entries[learningsField],
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

// MissingFields returns, as Markdown, the fields and the learnings that the Completion of c lacks.
// Without a Completion it returns all fields. It refuses an outcome that differs from the existing
// one.
func MissingFields(c *Checkpoint, outcome string, learnings []string, now time.Time) (string, error) {
	have := c.completion().entries
	said := have[outcomeField]
	if len(said) > 0 && outcome != "" && text.OneLine(outcome) != strings.Join(said, " ") {
		return "", fault.New(fault.Usage, "the Completion of %s has an outcome already", c.ID).
			WithHint("ckpt archive %s, or ckpt edit %s", c.ID, c.ID)
	}
	return missing(have, outcome, learnings, now).String(), nil
}

// missing returns the fields and the learnings that are not among the entries of a Completion.
func missing(have map[string][]string, outcome string, learnings []string, now time.Time) CompletionFields {
	var f CompletionFields
	if _, ok := have[statusField]; !ok {
		f.Status = "Archived"
	}
	if len(have[outcomeField]) == 0 {
		f.Outcomes = []string{text.OneLine(outcome)}
	}
	if _, ok := have[dateField]; !ok {
		f.Date = FormatTime(now)
	}
	told := "- **Learnings**:\n"
	for _, l := range learnings { // a bullet inside a learning becomes a learning of its own
		told += "  - " + strings.Join(strings.FieldsFunc(l, func(r rune) bool { return r == '\n' }), "\n    ") + "\n"
	}
	for _, l := range readFields(told).entries[learningsField] {
		l = strings.TrimPrefix(text.OneLine(l), "- ")
		if l != "" && !slices.Contains(have[learningsField], l) && !slices.Contains(f.Learnings, l) {
			f.Learnings = append(f.Learnings, l)
		}
	}
	return f
}

// WrittenByArchive reports whether the Completion of c is exactly what revise.Archive adds, or a merge
// of two such Completions. A merge puts each outcome after its date.
func WrittenByArchive(c *Checkpoint) bool {
	p, _ := c.Find(Completion)
	text := strings.TrimSpace(strings.ReplaceAll(c.Doc.Slice(p.Extent), c.Doc.EOL(), "\n"))
	have, ok := ReadCompletion(text)
	at, dated := ParseTime(have.Date)
	if !ok || !dated {
		return false
	}
	if len(have.Outcomes) < 2 {
		return text == strings.TrimSpace(missing(nil, strings.Join(have.Outcomes, ""), have.Learnings, at).String())
	}
	undated := slices.ContainsFunc(have.Outcomes, func(outcome string) bool {
		date, _, _ := strings.Cut(outcome, ": ")
		_, ok := ParseTime(date)
		return !ok
	})
	return !undated && text == strings.TrimSpace(have.String())
}

// field matches `- **Outcome**: text`, with or without its bullet. The colon may be inside the bold part. A field
// of the format may also be bold without a colon, plain, or italic: `- Outcome: text`, `_Outcome_: text`.
var field = text.Regexp(`^\s*([-*+]\s+)?(?:\*\*([A-Za-z][A-Za-z -]*)(?::\*\*\s*:?|\*\*\s*:)|` +
	`(?i:(?:\*\*|_)?(status|outcome|learnings|date)(?:\*\*|_?\s*:(?:\s|$))))\s*(.*)$`)

// codeFence matches the first line of a code block.
var codeFence = text.Regexp("^(`{3,}|~{3,})[^`]*$")

// subheading matches a heading with hashes.
var subheading = text.Regexp(`^ {0,3}#{1,6}(\s|$)`)

// fieldOf parses a field, and returns its name in lower case. The name is "" if the line is not a field.
func fieldOf(line string) (name, value string, bullet bool) {
	m := field.Get().FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return strings.ToLower(m[2] + m[3]), strings.TrimSpace(m[4]), m[1] != ""
}

var itemMarker = text.Regexp(`^\s*(?:[-*+]|\d+[.)])\s+`)

// afterMarker returns the offset of the text in the first line of a list item, or 0 if the line is not one.
func afterMarker(line string) int { return len(itemMarker.Get().FindString(line)) }
