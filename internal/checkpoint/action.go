package checkpoint

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Action is an entry under Next Actions: a list item or a row of a table. Without either, each paragraph is an entry.
type Action struct {
	Text   string   `json:"text"` // without the marker and the checkbox
	Rest   string   `json:"-"`    // the other cells of a row, as nested bullets
	Done   bool     `json:"done"` // ticked, struck through, or with a status such as "done"
	Begun  bool     `json:"-"`    // marked as under way: [~] or [/]
	Prose  bool     `json:"-"`    // the entry is a paragraph
	Number int      `json:"-"`    // its number in Next Actions
	Span   doc.Span `json:"-"`
}

var ticked = text.Regexp(`^(✅|✔️?|☑️?)\s*`)

// Actions returns the entries under Next Actions, including ticked ones. Entries below a subheading
// such as Done or Rejected do not count. An entry has its number in the file, or else the lowest free
// number. If two entries have the same number in the file, all entries are numbered by position.
func (c *Checkpoint) Actions() []Action {
	all := slices.Collect(c.actions())
	taken, free := map[int]bool{0: true}, 0
	for _, a := range all {
		taken[a.Number] = true
	}
	for i := range all {
		for all[i].Number == 0 && taken[free] {
			free++
		}
		all[i].Number = cmp.Or(all[i].Number, free)
		taken[all[i].Number] = true
	}
	if len(taken) <= len(all) {
		for i := range all {
			all[i].Number = i + 1
		}
	}
	return all
}

// OpenActions returns the Actions that are not done.
func (c *Checkpoint) OpenActions() []Action {
	return slices.DeleteFunc(c.Actions(), func(a Action) bool { return a.Done })
}

// actions iterates over the entries that Actions returns, without filling in missing numbers.
func (c *Checkpoint) actions() iter.Seq[Action] {
	return func(yield func(Action) bool) {
		p, _ := c.Find(Next)
		asides := c.Asides(Next)
		listed, prose := false, []Action(nil)
		for _, block := range c.Doc.Blocks(p.Extent) {
			if _, aside := AsideOf(asides, block.Span); aside {
				continue
			}
			for _, a := range Entries(c.Doc, block.Span) {
				listed = true
				if !IsNone(a.Text) && !yield(a) {
					return
				}
			}
			isProse := block.Kind == doc.Paragraph && len(c.Doc.Tables(block.Span)) == 0
			if text := strings.TrimSpace(c.Doc.Text(block.Span)); isProse && !IsNone(text) {
				a := ParseAction(doc.Given(text))
				a.Prose, a.Span = true, block.Span
				prose = append(prose, a)
			}
		}
		for _, a := range prose {
			if listed || !yield(a) {
				return
			}
		}
	}
}

// Entries returns the items of lists and the rows of tables in a span.
func Entries(d *doc.Doc, s doc.Span) []Action {
	var all []Action
	for _, item := range d.Items(s) {
		a := ParseAction(doc.Given(item.Text))
		a.Number, a.Span = item.Number(), item.Span
		all = append(all, a)
	}
	for _, t := range d.Tables(s) {
		what := max(0, t.Column("action", "next action", "next step", "task", "what", "step", "item", "acción", "tarea"))
		number, status := -1, t.Column("status", "state", "done", "estado")
		if len(t.Header) > 1 && (len(t.Header[0]) <= 2 || onlyNumbers(t)) {
			number, what = 0, max(1, what)
		}
		for _, row := range t.Rows {
			if what < len(row.Cells) {
				a := ParseAction(row.Cells[what])
				a.Span = row.Span
				a.Number, _ = strconv.Atoi(strings.Trim(row.Cell(number), "#."))
				stated := StatusOf(row.Cell(status))
				a.Done = a.Done || ticked.Get().MatchString(row.Cell(status)) || stated == Finished
				own := map[int]bool{status: stated != Unstated, what: true, number: true}
				for i, title := range t.Header {
					if cell := row.Cell(i); cell != "" && !own[i] {
						a.Rest += "\n- " + title + ": " + cell
					}
				}
				all = append(all, a)
			}
		}
	}
	return all
}

var checkbox = text.Regexp(`^\[[ xX~/-]\](\s+|$)`)

// CutCheckbox returns a text without the checkbox at its start, and reports whether the text has one.
func CutCheckbox(text string) (rest string, ok bool) {
	if m := checkbox.Get().FindStringIndex(text); m != nil {
		return text[m[1]:], true
	}
	return text, false
}

// onlyNumbers reports whether the first column of a table only numbers its rows.
func onlyNumbers(t doc.Table) bool {
	return !slices.ContainsFunc(t.Rows, func(r doc.Entry) bool {
		return len(r.Cells) == 0 || strings.Trim(r.Cells[0], "0123456789.#") != ""
	})
}

// ParseAction parses the text of an entry, which may begin with a checkbox.
func ParseAction(text string) Action {
	a := Action{Text: text}
	if rest, ok := CutCheckbox(text); ok {
		mark := text[1]
		a.Done, a.Begun, a.Text = mark == 'x' || mark == 'X', mark == '~' || mark == '/', rest
	}
	if a.Text != "" && a.Text[0] >= utf8.RuneSelf {
		if m := ticked.Get().FindString(a.Text); m != "" {
			a.Done, a.Text = true, a.Text[len(m):]
		}
	}
	if rest, ok := strings.CutPrefix(a.Text, "~~"); ok && strings.HasSuffix(strings.TrimSpace(rest), "~~") {
		a.Done = true
	}
	return a
}

// Boxes returns the entries of a section that have a checkbox, such as the phases of a
// workflow under Current State.
func (c *Checkpoint) Boxes(k Kind) []Action {
	p, _ := c.Find(k)
	var all []Action
	for _, item := range c.Doc.Items(p.Extent) {
		if _, ok := CutCheckbox(item.Text); ok {
			a := ParseAction(item.Text)
			a.Span = item.Span
			all = append(all, a)
		}
	}
	return all
}

// FirstAction returns the first open next action without the lines nested below it, or "". If an open step (see
// firstStep) is above the action, the result is its title. Several lines become one, of at most 200 characters.
func (c *Checkpoint) FirstAction() string {
	all := 0
	for a := range c.actions() {
		if !a.Done {
			if step, ok := c.firstStep(a.Span.Start); ok {
				return step
			}
			if first := text.FirstLine(a.Text); Lead(a.Text) == first {
				return first
			}
			return text.Shorten(text.OneLine(Lead(a.Text)), 200)
		}
		all++
	}
	if all > 0 {
		return ""
	}
	step, _ := c.firstStep(len(c.Doc.Bytes()))
	return step
}

// firstStep returns the title of the first open step of Next Actions before an offset. A step is a
// heading such as "1. Fix the loss" or "[ ] Fix the loss".
func (c *Checkpoint) firstStep(before int) (string, bool) {
	p, _ := c.Find(Next)
	for _, s := range c.Doc.Sections() {
		if s.Heading.Start < p.Extent.Start || s.Heading.Start >= min(before, p.Extent.End) {
			continue
		}
		m, box := numberedStep.Get().FindStringSubmatch(s.Title), ParseAction(s.Title)
		switch {
		case m != nil && StatusOf(m[1]) == Unstated:
			return m[1], true
		case box.Text != s.Title && !box.Done:
			return box.Text, true
		}
	}
	return "", false
}

var numberedStep = text.Regexp(`^(?i:step\s+)?1[.):]\s+(.+)$`)

// Lead returns the first part of an entry's text, without the lines nested below it.
func Lead(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	n := 1
	for n < len(lines) && !endsPart(lines[n]) {
		n++
	}
	return strings.Join(lines[:n], "\n")
}

func endsPart(line string) bool {
	text := strings.TrimSpace(line)
	return text == "" || afterMarker(line) > 0 || strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
}

// FirstPart returns the span of the text of an item up to the first line that is blank, is nested,
// or opens a code fence.
func FirstPart(d *doc.Doc, item doc.Entry) doc.Span {
	raw := d.Slice(doc.Span{Start: item.Start, End: item.Span.End})
	end := 0
	for line := range strings.Lines(raw) {
		if end > 0 && endsPart(line) {
			break
		}
		end += len(line)
	}
	return doc.Span{Start: item.Start, End: item.Start + len(strings.TrimRight(raw[:end], " \t\r\n"))}
}
