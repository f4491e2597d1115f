package resume

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fold"
	"example.com/ckpt/internal/core/ledger"
)

// Build is the whole brief of a checkpoint: its must-keep sections as they stand
// in the file, then the rest as of now, deltas folded in and newest first, then
// the learnings, which the caller has chosen.
func Build(c *checkpoint.Checkpoint, chosen []ledger.Learning) *Brief {
	b := &Brief{
		ID: c.ID, Path: c.Path, Status: string(c.Status()), Parent: c.Parent(), Anchor: c.Field("anchor"),
		Created: c.Created(), Next: c.FirstAction(), Outcome: c.Outcome(),
	}
	deltas := c.Deltas()
	b.LastDelta = lastDelta(c, deltas)
	for _, k := range []checkpoint.Kind{checkpoint.Problem, checkpoint.Intent} {
		b.add(k, MustKeep, c.Text(k))
	}
	b.add(checkpoint.Decisions, MustKeep, c.LiveDecisions())
	for _, k := range []checkpoint.Kind{checkpoint.State, checkpoint.Next, checkpoint.Rules} {
		b.add(k, MustKeep, c.Text(k))
	}
	b.add(checkpoint.Context, ShouldKeep, c.Text(checkpoint.Context))
	b.add(checkpoint.Breadcrumbs, ShouldKeep, c.Text(checkpoint.Breadcrumbs))
	b.add(checkpoint.PlayByPlay, ShouldKeep, playByPlay(c))
	b.add(checkpoint.Artifacts, ShouldKeep, trail(c))
	if c.Status() == checkpoint.Archived {
		b.add(checkpoint.Completion, ShouldKeep, c.Text(checkpoint.Completion))
	}
	if len(chosen) > 0 {
		b.Parts = append(b.Parts, learnings(chosen))
	}
	return b
}

func lastDelta(c *checkpoint.Checkpoint, deltas []checkpoint.Delta) time.Time {
	t, _ := checkpoint.ParseTime(c.Field("last_delta"))
	for _, d := range deltas {
		if d.At.After(t) {
			t = d.At
		}
	}
	return t
}

// add appends a section, unless it says nothing.
func (b *Brief) add(k checkpoint.Kind, tier Tier, text string) {
	if text == "" {
		return
	}
	t := k.Template()
	b.Parts = append(b.Parts, Part{Name: t.Name, Title: t.Title, Tier: tier, Text: text})
}

// playByPlay tells what was done, newest first: the deltas, then the section.
func playByPlay(c *checkpoint.Checkpoint) string {
	var lines []string
	for _, step := range slices.Backward(fold.Steps(c)) {
		line := "- " + step.Line()
		if step.Rest != "" {
			line += " …"
		}
		lines = append(lines, line)
	}
	place, ok := c.Find(checkpoint.PlayByPlay)
	if !ok {
		return strings.Join(lines, "\n")
	}
	items := c.Doc.Items(place.Extent)
	if len(items) == 0 || items[0].Span.Start > c.Doc.Content(place.Extent).Start { // not just a list: as it stands
		if text := c.Text(checkpoint.PlayByPlay); text != "" {
			lines = append(lines, "", text)
		}
		return strings.TrimLeft(strings.Join(lines, "\n"), "\n")
	}
	for _, item := range slices.Backward(items) {
		lines = append(lines, "- "+strings.ReplaceAll(item.Text, "\n", "\n  "))
	}
	return strings.Join(lines, "\n")
}

// trail is the artifact trail as of now: one row a file, later mentions winning,
// the latest mentioned first.
func trail(c *checkpoint.Checkpoint) string {
	all := fold.Artifacts(c)
	if len(all) == 0 {
		return c.Text(checkpoint.Artifacts)
	}
	var b strings.Builder
	b.WriteString(doc.TableRow("File", "Status", "Key Change") + "|------|--------|------------|\n")
	for _, a := range slices.Backward(all) {
		b.WriteString(doc.TableRow(fold.Cell(a.File), a.Action, a.Change))
	}
	return strings.TrimRight(b.String(), "\n")
}
