// Package pullrequest describes a checkpoint for the people who review its change: what the
// problem was, what was decided, and how it ended.
package pullrequest

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// Description is the text of a pull request, and its parts.
type Description struct {
	ID        string   `json:"id"`
	Problem   string   `json:"problem,omitempty"` // the text of the Problem
	Decisions []string `json:"decisions"`         // those in force, as Markdown
	Outcome   string   `json:"outcome,omitempty"` // of an archived checkpoint
	State     string   `json:"state,omitempty"`   // the current state; absent where there is an outcome
	Markdown  string   `json:"markdown"`          // all of it
}

// Describe returns the description of a checkpoint. It has neither frontmatter nor the guides of sections; a host does
// not show HTML comments in a text.
func Describe(c *checkpoint.Checkpoint) *Description {
	d := &Description{ID: c.ID, Problem: c.LiveText(checkpoint.Problem), Decisions: []string{}}
	for _, decision := range c.Decisions() {
		if decision.Live() {
			d.Decisions = append(d.Decisions, decision.Bullet())
		}
	}
	d.Outcome = c.Outcome()
	if d.Outcome == "" {
		d.State = c.LiveText(checkpoint.State)
	}
	d.Markdown = d.layout()
	return d
}

// layout returns the parts below headings, without those that are empty.
func (d *Description) layout() string {
	var b strings.Builder
	section := func(title, text string) {
		if text == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString("## " + title + "\n\n" + text + "\n")
	}
	bullets := make([]string, len(d.Decisions))
	for i, text := range d.Decisions {
		bullets[i] = "- " + strings.ReplaceAll(text, "\n", "\n  ")
	}
	section("Problem", d.Problem)
	section("Decisions", strings.Join(bullets, "\n"))
	section("Outcome", d.Outcome)
	section("Current State", d.State)
	return b.String()
}
