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

// Describe returns the description of a checkpoint. It has neither frontmatter nor HTML comments.
func Describe(c *checkpoint.Checkpoint) *Description {
	d := &Description{ID: c.ID, Problem: withoutComments(c.LiveText(checkpoint.Problem)), Decisions: []string{}}
	for _, decision := range c.Decisions() {
		if decision.Live() {
			d.Decisions = append(d.Decisions, withoutComments(decision.Bullet()))
		}
	}
	d.Outcome = withoutComments(c.Outcome())
	if d.Outcome == "" {
		d.State = withoutComments(c.LiveText(checkpoint.State))
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

// withoutComments removes the HTML comments of a text, but not those in code.
func withoutComments(text string) string {
	const begin, end = "<!--", "-->"
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "`<")
		if at < 0 {
			break
		}
		b.WriteString(text[:at])
		text = text[at:]
		n := 1 // how much of the text stays
		if strings.HasPrefix(text, "`") {
			n = codeLength(text)
		}
		if !strings.HasPrefix(text, begin) {
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		_, after, closed := strings.Cut(text[len(begin):], end)
		if !closed {
			break
		}
		text = after
	}
	return strings.TrimSpace(b.String() + text)
}

// codeLength returns the length of the code at the beginning of a text, which ends with as many
// backquotes as it begins with. If it does not end, the length is that of its beginning.
func codeLength(text string) int {
	n := len(text) - len(strings.TrimLeft(text, "`"))
	ticks := text[:n]
	for at := n; at < len(text); {
		next := strings.Index(text[at:], ticks)
		if next < 0 {
			break
		}
		at += next
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		at += run
		if run == n {
			return at
		}
	}
	return n
}
