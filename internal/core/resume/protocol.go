package resume

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// terms is a checkpoint in the words of the checkpoint protocol.
type terms struct {
	goal      string
	completed []string // newest first
	pending   []string
	decisions []string
	phase     string
}

func termsOf(c *checkpoint.Checkpoint) terms {
	t := terms{phase: phaseOf(c)}
	goal := c.Text(checkpoint.Intent)
	if checkpoint.IsNone(goal) {
		goal = c.Text(checkpoint.Problem)
	}
	t.goal = strings.Join(strings.Fields(goal), " ")
	steps, _ := history(c)
	for _, s := range steps {
		if !checkpoint.IsNone(s.text) {
			t.completed = append(t.completed, s.text)
		}
	}
	for _, a := range c.Actions() {
		if !a.Done {
			t.pending = append(t.pending, a.Text)
		}
	}
	if next := c.FirstAction(); len(t.pending) == 0 && next != "" {
		t.pending = []string{next}
	}
	for _, d := range c.Decisions() {
		if d.Live() {
			t.decisions = append(t.decisions, d.Text)
		}
	}
	return t
}

// phaseOf is the phase of the work, else the anchor, which the format has for it.
func phaseOf(c *checkpoint.Checkpoint) string {
	if phase := c.Field("phase"); phase != "" {
		return phase
	}
	return c.Field("anchor")
}

// protocol lays the brief out by the protocol's Context Reconstruction Template.
func (b *Brief) protocol() sheet {
	t := termsOf(b.of)
	list := func(k checkpoint.Kind, title string, tier Tier, items []string) block {
		bl := block{open: title + "\n", close: "\n", always: true}
		var lines []string
		for _, item := range items {
			line := "- " + strings.ReplaceAll(item, "\n", "\n  ")
			lines = append(lines, line)
			bl.pieces = append(bl.pieces, piece{text: line + "\n", entry: true})
		}
		bl.part = Part{Name: k.Template().Name, Title: k.Template().Title, Tier: tier, Text: strings.Join(lines, "\n")}
		return bl
	}
	goal := "**Goal:** " + t.goal
	completed := list(checkpoint.PlayByPlay, "**Completed:**", ShouldKeep, t.completed)
	completed.upward = true // as the tool that saved them lists them
	return sheet{
		head: "## Resuming from Checkpoint\n\n",
		blocks: []block{
			{part: Part{Name: checkpoint.Intent.Template().Name, Title: checkpoint.Intent.String(), Text: goal}, pieces: []piece{{text: goal + "\n"}}, close: "\n"},
			completed,
			list(checkpoint.Next, "**Pending:**", MustKeep, t.pending),
			list(checkpoint.Decisions, "**Key Decisions:**", MustKeep, t.decisions),
		},
		last: "**Next Action:** " + b.Next + "\n**Phase:** " + t.phase + "\n",
	}
}
