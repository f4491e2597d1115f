package brief

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// Terms is a checkpoint in the words of the checkpoint protocol.
type Terms struct {
	Goal                          string
	Completed, Pending, Decisions []string
	Next                          string
	Phase                         string // "" takes the anchor, which the format has for it
}

// protocol lays the brief out by the protocol's Context Reconstruction Template.
func protocol(t Terms) sheet {
	newest := slices.Clone(t.Completed) // first: it is kept longest
	slices.Reverse(newest)
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
	goal := "**Goal:** " + t.Goal
	completed := list(checkpoint.PlayByPlay, "**Completed:**", ShouldKeep, newest)
	completed.upward = true // as the tool that saved them lists them
	return sheet{
		head: "## Resuming from Checkpoint\n\n",
		blocks: []block{
			{part: Part{Name: checkpoint.Intent.Template().Name, Title: checkpoint.Intent.String(), Text: goal}, pieces: []piece{{text: goal + "\n"}}, close: "\n"},
			completed,
			list(checkpoint.Next, "**Pending:**", MustKeep, t.Pending),
			list(checkpoint.Decisions, "**Key Decisions:**", MustKeep, t.Decisions),
		},
		last: "**Next Action:** " + t.Next + "\n**Phase:** " + t.Phase + "\n",
	}
}
