package revise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Done moves the one open next action that contains s, or has the number in s ("2" or "#2"), from
// Next Actions to Play-By-Play. It returns the first line of the action. Numbers are those before
// the revision.
func (r *Revision) Done(s string) (string, error) {
	a, err := pickAction(r.c, s)
	if err != nil {
		return "", err
	}
	if slices.Contains(r.done, a.Span) {
		return "", fault.New(fault.Usage, "%q names a next action that is named already", s)
	}
	r.done = append(r.done, a.Span)
	r.Bullet(checkpoint.PlayByPlay, finished(a))
	return text.FirstLine(a.Text), nil
}

// Renew replaces the next actions. An old action that is ticked, and not among the new ones, moves
// to Play-By-Play as Done would move it, so that finished work is not lost.
func (r *Revision) Renew(actions []string) *Revision {
	kept := map[string]bool{}
	for _, text := range actions {
		kept[checkpoint.ParseAction(doc.Given(doc.Literal(text))).Text] = true
	}
	for _, a := range r.c.Actions() {
		if a.Done && !kept[a.Text] {
			r.Bullet(checkpoint.PlayByPlay, finished(a))
		}
	}
	return r.List(checkpoint.Next, actions)
}

// finished returns an action with "→ done" after its first part, before the nested lines.
func finished(a checkpoint.Action) string {
	lead := checkpoint.Lead(a.Text)
	return strings.TrimRight(lead, " \\") + " → done" + strings.TrimSpace(a.Text)[len(lead):] + a.Rest
}

// ActionNumber parses the number of an action, "2" or "#2", and reports whether s is one.
func ActionNumber(s string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(s), "#"))
	return n, err == nil && n >= 0
}

// pickAction returns the one open action that contains the text s or has the number s.
func pickAction(c *checkpoint.Checkpoint, s string) (checkpoint.Action, error) {
	actions := c.Actions()
	hint := "ckpt next -c " + c.ID
	if n, ok := ActionNumber(s); ok {
		i := slices.IndexFunc(actions, func(a checkpoint.Action) bool { return a.Number == n })
		if i < 0 {
			return checkpoint.Action{}, fault.New(fault.NotFound, "%s has no next action %d: its list has %s", c.ID, n,
				text.Count(len(actions), "item")).WithHint("%s", hint)
		}
		if actions[i].Done {
			return checkpoint.Action{}, fault.New(fault.Usage, "the next action %d of %s is done already: %s", n, c.ID,
				text.FirstLine(actions[i].Text)).WithHint("%s", hint)
		}
		return actions[i], nil
	}
	var found []checkpoint.Action
	var listed, open []string
	for _, a := range actions {
		if !a.Done {
			open = append(open, strconv.Itoa(a.Number))
		}
		switch {
		case a.Done:
		case a.Text == s:
			return a, nil
		case containsFold(a.Text, s):
			found = append(found, a)
			listed = append(listed, fmt.Sprintf("%d %s", a.Number, text.FirstLine(a.Text)))
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if strings.EqualFold(s, "all") && len(open) > 0 {
			hint = "ckpt done " + strings.Join(open, " ")
		}
		return checkpoint.Action{}, fault.New(fault.NotFound, "%s has no next action that contains %q", c.ID, s).
			WithHint("%s", hint)
	}
	return checkpoint.Action{}, fault.New(fault.Usage, "%q matches %d next actions of %s: %s", s, len(found), c.ID,
		strings.Join(listed, "; ")).
		WithHint("ckpt done %d", found[0].Number)
}

// listed returns the edits that turn next actions from paragraphs into list items, except those that Done removes.
func (r *Revision) listed() (edits []doc.Edit) {
	for _, a := range r.c.Actions() {
		if a.Prose && !slices.Contains(r.done, a.Span) {
			edits = append(edits, doc.Replace(doc.Span{Start: a.Span.Start, End: a.Span.Start}, "- "))
		}
	}
	return edits
}

// withoutActions returns the edits that remove actions from Next Actions, with the blank lines after each. In a list
// numbered 1, 2, 3 they reduce the later numbers. Up is how far they reduce the number of the last item.
func withoutActions(c *checkpoint.Checkpoint, gone []doc.Span) (edits []doc.Edit, up int) {
	p, _ := c.Find(checkpoint.Next)
	items := c.Doc.Items(p.Extent)
	before := 0 // the number of the previous item
	for _, item := range items {
		n := item.Number()
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
		i := slices.IndexFunc(items, func(item doc.Entry) bool { return item.Span == s }) // -1 for a row of a table
		if i >= 0 && i+1 < len(items) {
			if next := items[i+1].Span.Start; strings.TrimSpace(c.Doc.Slice(doc.Span{Start: s.End, End: next})) == "" {
				s.End = next
			}
		}
		edits = append(edits, doc.Replace(s, ""))
	}
	return edits, up
}
