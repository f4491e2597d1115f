package checkpoint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Done takes the one open next action that contains text, or the one numbered
// "#2", out of Next Actions and says so in Play-By-Play. It gives the first line of
// the action.
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

// Renew puts new next actions in place of the old ones. An old one that is ticked, and
// not among the new ones, moves to Play-By-Play as Done moves it: Next Actions are
// replaced (S003), what was done is not forgotten.
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

// finished marks an action as done behind its first part, before what is nested.
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

// firstPart returns how many lines the first part of an entry takes; at least one.
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

// FirstPart is where the text of an item stands up to the first line that is nested
// or blank, or that opens a fence.
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

// pick is the one open action that contains text, or that `#n` numbers.
func (c *Checkpoint) pick(s string) (Action, error) {
	actions := c.Actions()
	hint := fmt.Sprintf("ckpt show %s --section next-actions", c.ID)
	if n, err := strconv.Atoi(strings.TrimPrefix(s, "#")); err == nil && strings.HasPrefix(s, "#") {
		i := slices.Index(numbers(actions), n)
		if i < 0 {
			return Action{}, fault.New(fault.NotFound, "%s has no next action %s: there are %d", c.ID, s, len(actions)).WithHint("%s", hint)
		}
		if actions[i].Done {
			return Action{}, fault.New(fault.Usage, "the next action %s of %s is done already: %s", s, c.ID, text.FirstLine(actions[i].Text)).WithHint("%s", hint)
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
	return Action{}, fault.New(fault.Usage, "%q fits %d next actions of %s: %s", s, len(found), c.ID, strings.Join(listed, "; ")).
		WithHint("ckpt done '%s'", strings.Fields(listed[0])[0])
}

// numbers are what `#n` means: the numbers that stand before the actions, where
// each has one of its own; else their places, from 1.
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

// withoutActions takes actions out of Next Actions, with the blank lines between
// each and the next entry; in a list that was numbered one by one, the numbers
// behind move up. Up is by how much they do at the end of the list.
func (c *Checkpoint) withoutActions(gone []doc.Span) (edits []doc.Edit, up int) {
	p, _ := c.Find(Next)
	items := c.Doc.Items(p.Extent)
	before := 0 // the number of the item before
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

// number is the number in a marker, 0 in one of a bullet.
func number(marker string) int {
	n, _ := strconv.Atoi(strings.TrimRight(marker, ".)"))
	return n
}
