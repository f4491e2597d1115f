package checkpoint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// Decide adds a decision. With supersedes, the one live decision that holds that
// text is struck through and points to the new one.
func (r *Revision) Decide(what, why, supersedes string) *Revision {
	if supersedes != "" {
		old, err := r.c.decision(supersedes)
		if err != nil {
			r.fail(err)
			return r
		}
		r.edits = append(r.edits, r.c.strike(old, what))
	}
	return r.Bullet(Decisions, DecisionText(what, why))
}

// decision is the one live decision that holds text.
func (c *Checkpoint) decision(text string) (Decision, error) {
	var found []Decision
	for _, d := range c.Decisions() {
		if d.Struck || !containsFold(d.Text, text) {
			continue
		}
		if strings.EqualFold(d.What, text) {
			return d, nil
		}
		found = append(found, d)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Decision{}, fault.New(fault.NotFound, "%s has no live decision that says %q", c.ID, text).
			WithHint("ckpt show %s --section decisions", c.ID)
	}
	var all []string
	for _, d := range found {
		all = append(all, firstLine(d.What))
	}
	return Decision{}, fault.New(fault.Usage, "%q fits %d decisions of %s: %s", text, len(found), c.ID, strings.Join(all, "; ")).
		WithHint("give more of the text")
}

// strike crosses a decision out and names what took its place. Of a bullet with
// nested lines the first part is crossed out: a line through a list is no Markdown.
func (c *Checkpoint) strike(old Decision, by string) doc.Edit {
	text := strings.ReplaceAll(c.Doc.Slice(old.said), "~~", "")
	by = "**" + oneField(by) + "**"
	if old.cell {
		by = strings.ReplaceAll(by, "|", `\|`)
	}
	return doc.Replace(old.said, "~~"+text+"~~ → "+by)
}

// Done takes the one open next action that contains text, or the nth ("#2"),
// out of Next Actions and says so in Play-By-Play. It gives the action's text.
func (r *Revision) Done(text string) (string, error) {
	var open []Action
	for _, a := range r.c.Actions() {
		if !a.Done {
			open = append(open, a)
		}
	}
	a, err := pick(r.c.ID, open, text)
	if err != nil {
		return "", err
	}
	gone := doc.Replace(r.c.removal(a.Span), "")
	if slices.ContainsFunc(r.edits, func(e doc.Edit) bool { return e.Span == gone.Span }) {
		return "", fault.New(fault.Usage, "%q names a next action that another --done names already", text)
	}
	r.edits = append(r.edits, gone)
	first, rest, more := strings.Cut(a.Text, "\n")
	step := strings.TrimSpace(first) + " → done"
	if more {
		step += "\n" + rest
	}
	r.Bullet(PlayByPlay, step)
	return firstLine(a.Text), nil
}

// removal is what goes when an entry goes: also the blank lines that separate it
// from the next entry.
func (c *Checkpoint) removal(s doc.Span) doc.Span {
	p, _ := c.Find(Next)
	for _, item := range c.Doc.Items(p.Extent) {
		if item.Span.Start >= s.End {
			if strings.TrimSpace(c.Doc.Slice(doc.Span{Start: s.End, End: item.Span.Start})) == "" {
				s.End = item.Span.Start
			}
			break
		}
	}
	return s
}

// pick is the one open action that contains text, or that `#n` numbers.
func pick(id string, open []Action, text string) (Action, error) {
	hint := fmt.Sprintf("ckpt show %s --section next-actions", id)
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "#")); err == nil && strings.HasPrefix(text, "#") {
		if n < 1 || n > len(open) {
			return Action{}, fault.New(fault.NotFound, "%s has no next action %s: there are %d", id, text, len(open)).WithHint("%s", hint)
		}
		return open[n-1], nil
	}
	var found []Action
	var numbers []string
	for i, a := range open {
		if a.Text == text {
			return a, nil
		}
		if containsFold(a.Text, text) {
			found = append(found, a)
			numbers = append(numbers, fmt.Sprintf("#%d %s", i+1, firstLine(a.Text)))
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Action{}, fault.New(fault.NotFound, "%s has no next action that contains %q", id, text).WithHint("%s", hint)
	}
	return Action{}, fault.New(fault.Usage, "%q fits %d next actions of %s: %s", text, len(found), id, strings.Join(numbers, "; ")).
		WithHint("ckpt done '%s'", strings.Fields(numbers[0])[0])
}
