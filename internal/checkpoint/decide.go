package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
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
func (c *Checkpoint) decision(s string) (Decision, error) {
	var found []Decision
	for _, d := range c.Decisions() {
		if !d.Live() || !containsFold(d.Text, s) {
			continue
		}
		if strings.EqualFold(d.What, s) {
			return d, nil
		}
		found = append(found, d)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Decision{}, fault.New(fault.NotFound, "%s has no live decision that says %q", c.ID, s).
			WithHint("ckpt show %s --section decisions", c.ID)
	}
	var all []string
	for _, d := range found {
		all = append(all, text.FirstLine(d.What))
	}
	return Decision{}, fault.New(fault.Usage, "%q fits %d decisions of %s: %s", s, len(found), c.ID, strings.Join(all, "; ")).
		WithHint("give more of the text")
}

// strike crosses a decision out and names what took its place. Of a bullet with
// nested lines the first part is crossed out: a line through a list is no Markdown.
func (c *Checkpoint) strike(old Decision, by string) doc.Edit {
	s := strings.ReplaceAll(c.Doc.Slice(old.said), "~~", "")
	by = "**" + text.OneLine(by) + "**"
	if old.cell {
		by = strings.ReplaceAll(by, "|", `\|`)
	}
	return doc.Replace(old.said, "~~"+s+"~~ → "+by)
}
