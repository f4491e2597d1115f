package checkpoint

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Action is one entry under Next Actions: a bullet, or a row of a table.
type Action struct {
	Text   string   `json:"text"` // without the marker and the checkbox
	Done   bool     `json:"done"` // ticked or struck through, so it is done
	Begun  bool     `json:"-"`    // marked as under way: [~] or [/]
	Number int      `json:"-"`    // the number before it in the file, or 0
	Span   doc.Span `json:"-"`
}

var (
	checkbox = text.Regexp(`^\[([ xX~/-])\](\s+|$)`)
	ticked   = text.Regexp(`^(✅|✔️?|☑️?)\s*`)
)

// Actions returns the entries under Next Actions, including ticked ones. Entries below a subheading
// such as Done or Rejected do not count.
func (c *Checkpoint) Actions() []Action { return slices.Collect(c.actions()) }

// actions iterates over the Actions: most callers need only the first few.
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

// entries returns the items of lists and the rows of tables in a span.
func (c *Checkpoint) entries(block doc.Span) []Action {
	var all []Action
	for _, item := range c.Doc.Items(block) {
		all = append(all, action(item.Text, number(item.Marker), item.Span))
	}
	for _, t := range c.Doc.Tables(block) {
		what := column(t.Header, 0, "action", "next action", "next step", "task", "what", "step", "acción", "tarea")
		numbered := len(t.Header) > 1 && (len(t.Header[0]) <= 2 || isCounted(t))
		if what == 0 && numbered {
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

// saysDone reports whether a cell with a status means "done".
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

// Boxes returns the entries of a section that have a checkbox, such as the phases of a
// workflow under Current State.
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

// OpenActions returns the text of Next Actions without the entries that are done.
func (c *Checkpoint) OpenActions() string {
	var done []doc.Span
	for _, a := range c.Actions() {
		if a.Done {
			done = append(done, a.Span)
		}
	}
	return c.textWithout(Next, done)
}

// FirstAction returns the first line of the first open next action, or "".
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

// firstStep returns the text of the heading between Next Actions and the entry at an offset, such
// as "1. Fix the loss" or "[ ] Fix the loss": the entry belongs to that step.
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

// Done moves the one open next action that contains text, or has the number "#2", from
// Next Actions to Play-By-Play. It returns the first line of the action.
func (r *Revision) Done(s string) (string, error) {
	a, err := r.c.pick(s)
	if err != nil {
		return "", err
	}
	if slices.Contains(r.done, a.Span) {
		return "", fault.New(fault.Usage, "%q names a next action that another --done names already", s)
	}
	r.done = append(r.done, a.Span)
	r.Bullet(PlayByPlay, finished(a.Text))
	return text.FirstLine(a.Text), nil
}

// Renew replaces the next actions. An old action that is ticked, and not among the new ones, moves
// to Play-By-Play as Done would move it, so that finished work is not lost (S003).
func (r *Revision) Renew(actions []string) *Revision {
	kept := map[string]bool{}
	for _, text := range actions {
		kept[action(doc.Literal(text), 0, doc.Span{}).Text] = true
	}
	for _, a := range r.c.Actions() {
		if a.Done && !kept[a.Text] {
			r.Bullet(PlayByPlay, finished(a.Text))
		}
	}
	return r.List(Next, actions)
}

// finished returns an action with "→ done" after its first part, before what is nested.
func finished(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := firstPart(lines) - 1
	lines[last] = strings.TrimRight(lines[last], " \\") + " → done"
	return strings.Join(lines, "\n")
}

// Lead returns the first part of an entry's text, without what is nested below it.
func Lead(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:firstPart(lines)], "\n")
}

// firstPart returns the number of lines of the first part of an entry, at least one.
func firstPart(lines []string) int {
	n := 1
	for n < len(lines) && !endsPart(lines[n]) {
		n++
	}
	return n
}

func endsPart(line string) bool {
	text := strings.TrimSpace(line)
	return text == "" || afterMarker(line) >= 0 || strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
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

// pick returns the one open action that contains text or has the number `#n`.
func (c *Checkpoint) pick(s string) (Action, error) {
	actions := c.Actions()
	hint := fmt.Sprintf("ckpt show %s --section next-actions", c.ID)
	if n, err := strconv.Atoi(strings.TrimPrefix(s, "#")); err == nil && strings.HasPrefix(s, "#") {
		i := slices.Index(numbers(actions), n)
		if i < 0 {
			return Action{}, fault.New(fault.NotFound, "%s has no next action %s: there are %d", c.ID, s, len(actions)).
				WithHint("%s", hint)
		}
		if actions[i].Done {
			return Action{}, fault.New(fault.Usage, "the next action %s of %s is done already: %s", s, c.ID,
				text.FirstLine(actions[i].Text)).WithHint("%s", hint)
		}
		return actions[i], nil
	}
	var found []Action
	var listed []string
	for i, n := range numbers(actions) {
		a := actions[i]
		switch {
		case a.Done:
		case a.Text == s:
			return a, nil
		case containsFold(a.Text, s):
			found = append(found, a)
			listed = append(listed, fmt.Sprintf("#%d %s", n, text.FirstLine(a.Text)))
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Action{}, fault.New(fault.NotFound, "%s has no next action that contains %q", c.ID, s).WithHint("%s", hint)
	}
	return Action{}, fault.New(fault.Usage, "%q fits %d next actions of %s: %s", s, len(found), c.ID,
		strings.Join(listed, "; ")).
		WithHint("ckpt done '%s'", strings.Fields(listed[0])[0])
}

// numbers returns the numbers by which `#n` finds actions: the numbers in the file if they are all
// different, otherwise the positions, from 1.
func numbers(actions []Action) []int {
	written, places := make([]int, len(actions)), make([]int, len(actions))
	own := map[int]bool{}
	for i, a := range actions {
		written[i], places[i] = a.Number, i+1
		own[a.Number] = true
	}
	if len(own) == len(actions) && !own[0] {
		return written
	}
	return places
}

// withoutActions removes actions from Next Actions, with the blank lines after each. In a list
// numbered 1, 2, 3 the later numbers are reduced; up is by how much the last number of the list is
// reduced.
func (c *Checkpoint) withoutActions(gone []doc.Span) (edits []doc.Edit, up int) {
	p, _ := c.Find(Next)
	items := c.Doc.Items(p.Extent)
	before := 0 // the number of the previous item
	for _, item := range items {
		n := number(item.Marker)
		if n == 0 || n != before+1 {
			up = 0
		}
		before = n
		switch {
		case slices.Contains(gone, item.Span):
			up++
		case up > 0 && n > 0:
			at := item.Span.Start + strings.Index(c.Doc.Slice(item.Span), item.Marker)
			moved := strconv.Itoa(n-up) + item.Marker[len(item.Marker)-1:]
			edits = append(edits, doc.Replace(doc.Span{Start: at, End: at + len(item.Marker)}, moved))
		}
	}
	for _, s := range gone {
		for _, item := range items {
			if item.Span.Start >= s.End {
				if strings.TrimSpace(c.Doc.Slice(doc.Span{Start: s.End, End: item.Span.Start})) == "" {
					s.End = item.Span.Start
				}
				break
			}
		}
		edits = append(edits, doc.Replace(s, ""))
	}
	return edits, up
}

// number returns the number in a marker, or 0 for a bullet.
func number(marker string) int {
	n, _ := strconv.Atoi(strings.TrimRight(marker, ".)"))
	return n
}

// ParseEntries returns the items of a Markdown list as one entry each. Any other text is one entry.
func ParseEntries(text string) []string {
	d, err := doc.Parse([]byte("\n" + text))
	if err != nil {
		return []string{text}
	}
	blocks := d.Blocks(d.Body())
	if len(d.Sections()) > 0 || slices.ContainsFunc(blocks, func(b doc.Block) bool { return b.Kind != doc.List }) {
		return []string{text}
	}
	if all := entries(d, d.Body()); len(all) > 0 {
		return all
	}
	return []string{text}
}
