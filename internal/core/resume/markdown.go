package resume

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// Markdown writes the brief for an agent to read. The head and the last line
// name the next action.
func (b *Brief) Markdown() string {
	var w strings.Builder
	w.WriteString("# Resuming " + b.ID + "\n\n")
	facts := []string{b.Status, "created " + checkpoint.FormatTime(b.Created)}
	if b.Created.IsZero() {
		facts = facts[:1]
	}
	if !b.LastDelta.IsZero() {
		facts = append(facts, "last delta "+checkpoint.FormatTime(b.LastDelta))
	}
	if b.Anchor != "" {
		facts = append(facts, "anchor "+b.Anchor)
	}
	if b.Parent != "" {
		facts = append(facts, "forked from "+b.Parent)
	}
	w.WriteString(strings.Join(facts, " · ") + "\n\n")
	w.WriteString(b.nextLine() + "\n")
	if b.Facts != "" {
		w.WriteString("\n" + b.Facts + "\n")
	}
	for _, p := range b.Parts {
		w.WriteString("\n## " + p.Title + "\n\n" + p.Text + "\n")
	}
	if b.Status != string(checkpoint.Archived) {
		w.WriteString("\nBefore you stop: `ckpt delta -m TEXT --done TEXT --next TEXT`\n")
	}
	w.WriteString("\n" + b.nextLine() + "\n")
	return w.String()
}

func (b *Brief) nextLine() string {
	if b.Status == string(checkpoint.Archived) {
		return "**Archived:** " + b.Outcome
	}
	if b.Next == "" {
		return "**Next:** no next action is written down (`ckpt next TEXT`)"
	}
	return "**Next:** " + b.Next
}
