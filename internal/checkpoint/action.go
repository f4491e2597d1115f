package checkpoint

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Action is one entry under Next Actions: a bullet, or a row of a table.
type Action struct {
	Text   string // without the marker and the checkbox
	Done   bool   // ticked or struck through
	Begun  bool   // marked as under way: [~] or [/]
	Number int    // that stands before it; 0 where none does
	Span   doc.Span
}

var (
	checkbox = text.Regexp(`^\[([ xX~/-])\](\s+|$)`)
	ticked   = text.Regexp(`^(✅|✔️?|☑️?)\s*`)
)

// Actions are the entries under Next Actions, ticked ones included; not those below a
// subheading such as Done or Rejected.
func (c *Checkpoint) Actions() []Action { return slices.Collect(c.actions()) }

// actions are Actions, block by block, for those who look at the first few.
func (c *Checkpoint) actions() iter.Seq[Action] {
	return func(yield func(Action) bool) {
		p, ok := c.Find(Next)
		if !ok {
			return
		}
		asides := c.Asides(Next)
		for _, block := range c.Doc.Blocks(p.Extent) {
			if _, aside := asideOf(asides, block.Span); aside {
				continue
			}
			for _, a := range c.entries(block.Span) {
				if !IsNone(a.Text) && !yield(a) {
					return
				}
			}
		}
	}
}

// entries are the items of a list, or the rows of a table.
func (c *Checkpoint) entries(block doc.Span) []Action {
	var all []Action
	for _, item := range c.Doc.Items(block) {
		all = append(all, action(item.Text, number(item.Marker), item.Span))
	}
	for _, t := range c.Doc.Tables(block) {
		what := column(t.Header, 0, "action", "next action", "next step", "task", "what", "step", "acción", "tarea")
		if what == 0 && len(t.Header) > 1 && (len(t.Header[0]) <= 2 || isCounted(t)) {
			what = 1
		}
		status := column(t.Header, -1, "status", "state", "done", "estado")
		for _, row := range t.Rows {
			if what < len(row.Cells) {
				a := action(row.Cells[what], 0, row.Span)
				a.Done = a.Done || status >= 0 && status < len(row.Cells) && saysDone(row.Cells[status])
				all = append(all, a)
			}
		}
	}
	return all
}

// saysDone reports whether a cell with a status means done.
func saysDone(cell string) bool {
	return ticked.MatchString(cell) || StatusOf(cell) == Finished
}

// isCounted reports whether the first column of a table only numbers its rows.
func isCounted(t doc.Table) bool {
	return !slices.ContainsFunc(t.Rows, func(r doc.Entry) bool {
		return len(r.Cells) == 0 || strings.Trim(r.Cells[0], "0123456789.#") != ""
	})
}

func action(text string, number int, s doc.Span) Action {
	a := Action{Text: text, Number: number, Span: s}
	if strings.HasPrefix(text, "[") {
		if m := checkbox.FindStringSubmatch(text); m != nil {
			a.Done, a.Begun = m[1] == "x" || m[1] == "X", m[1] == "~" || m[1] == "/"
			a.Text = text[len(m[0]):]
		}
	}
	if a.Text != "" && a.Text[0] >= utf8.RuneSelf {
		if m := ticked.FindString(a.Text); m != "" {
			a.Done, a.Text = true, a.Text[len(m):]
		}
	}
	if rest, ok := strings.CutPrefix(a.Text, "~~"); ok && strings.HasSuffix(strings.TrimSpace(rest), "~~") {
		a.Done = true
	}
	return a
}

// Boxes are the entries of a section that bear a checkbox: the phases of a workflow
// stand so under Current State.
func (c *Checkpoint) Boxes(k Kind) []Action {
	p, ok := c.Find(k)
	if !ok {
		return nil
	}
	var all []Action
	for _, item := range c.Doc.Items(p.Extent) {
		if strings.HasPrefix(item.Text, "[") && checkbox.MatchString(item.Text) {
			all = append(all, action(item.Text, 0, item.Span))
		}
	}
	return all
}

// OpenActions is the text of the section without what is done.
func (c *Checkpoint) OpenActions() string {
	var done []doc.Span
	for _, a := range c.Actions() {
		if a.Done {
			done = append(done, a.Span)
		}
	}
	return c.textWithout(Next, done)
}

// FirstAction is the first line of the first open next action; "" where the
// section names none.
func (c *Checkpoint) FirstAction() string {
	all := 0
	for a := range c.actions() {
		if !a.Done {
			if step, ok := c.firstStep(a.Span.Start); ok {
				return step
			}
			return text.FirstLine(a.Text)
		}
		all++
	}
	if all > 0 {
		return ""
	}
	if step, ok := c.firstStep(len(c.Doc.Bytes())); ok {
		return step
	}
	for line := range strings.Lines(c.OwnText(Next)) {
		line = strings.TrimSpace(line)
		if at := afterMarker(line); at > 0 {
			line = line[at:]
		}
		if line != "" && line[0] != '#' && !IsNone(line) {
			return line
		}
	}
	return ""
}

// OpenNumbers returns the numbers, as in "#2", of the open next actions that are entries
// of a list or a table.
func (c *Checkpoint) OpenNumbers() []int {
	var open []int
	actions := c.Actions()
	for i, n := range numbers(actions) {
		if !actions[i].Done {
			open = append(open, n)
		}
	}
	return open
}

// firstStep returns the text of a heading "1. Fix the loss" or "[ ] Fix the loss" below
// Next Actions and above the entry at an offset: the entry belongs to that step.
func (c *Checkpoint) firstStep(before int) (string, bool) {
	p, ok := c.Find(Next)
	if !ok {
		return "", false
	}
	for _, s := range c.Doc.Sections() {
		if s.Heading.Start < p.Extent.Start || s.Heading.Start >= min(before, p.Extent.End) {
			continue
		}
		m, box := numberedStep.FindStringSubmatch(s.Title), action(s.Title, 0, s.Heading)
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

var none = text.Regexp(`^(none|no|nothing|nil|n[/.]?a|not applicable|not any|tbd)?( (were|was|noted|noteworthy|notable|yet|so far|recorded|new|pending|outstanding|learnings?|lessons?|learned|here|identified|captured|specific|particular|in particular|really|found|to (note|report|add|record|share)|(at )?this time|for now))*$`)

// noneBecause is a word for nothing with a remark: "None - all done."
var noneBecause = text.Regexp(`(?i)^[*_(]*(none|nothing|n/?a)( (noted|yet|so far|recorded|left|to (do|note|report|add|record|share)))*[*_]*(\s+[-–—(]|\s*[:;,.—–])`)

// IsNone says whether a text only says that there is nothing to say: "None",
// "None noted.", "n/a", "-", "None: a small change", or nothing at all.
func IsNone(text string) bool {
	return SaysNothing(text) || len(text) <= 200 && startsAsNone(text) && noneBecause.MatchString(strings.TrimSpace(text))
}

// SaysNothing is IsNone for a text that may be thrown away: a remark is kept.
func SaysNothing(text string) bool {
	if len(text) > 100 || !startsAsNone(text) {
		return false
	}
	plain := strings.ToLower(strings.Trim(strings.TrimSpace(text), "*_`-–—.!()[] \t\n"))
	return none.MatchString(strings.Join(strings.Fields(plain), " "))
}

// startsAsNone says whether a text can be a word for nothing at all. It spares most
// texts the regular expressions.
func startsAsNone(text string) bool {
	word := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`-–—.!()[]", r) })
	return word == "" || strings.IndexByte("nNtT", word[0]) >= 0
}
