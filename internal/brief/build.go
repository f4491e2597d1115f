package brief

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/learnings"
)

// Build is the whole brief of a checkpoint: its must-keep sections as they stand
// in the file, without struck decisions and next actions that are done, then the
// rest as of now, deltas folded in and newest first, then the learnings, which the
// caller has chosen.
func Build(c *checkpoint.Checkpoint, chosen []learnings.Learning) *Brief {
	b := &Brief{
		ID: c.ID, Path: c.Path, Status: string(c.Status()), Parent: c.Parent(), Anchor: c.Field("anchor"),
		Created: c.Created(), LastDelta: c.LastDelta(), Next: c.FirstAction(), Outcome: c.Outcome(), of: c,
	}
	if c.Status() == checkpoint.Archived {
		b.Next = ""
	}
	if m, ok := c.Mark(); ok {
		b.Mark = &m
	}
	b.add(checkpoint.Problem, MustKeep, textOf(c, checkpoint.Problem))
	b.add(checkpoint.Intent, MustKeep, textOf(c, checkpoint.Intent))
	b.add(checkpoint.Decisions, MustKeep, paragraphs(c.LiveDecisions(), others(c, checkpoint.Decisions)))
	b.add(checkpoint.State, MustKeep, paragraphs(fold.State(c), others(c, checkpoint.State)))
	b.add(checkpoint.Next, MustKeep, paragraphs(c.OpenActions(), others(c, checkpoint.Next)))
	b.add(checkpoint.Rules, MustKeep, textOf(c, checkpoint.Rules))
	if c.Status() == checkpoint.Archived {
		b.add(checkpoint.Completion, ShouldKeep, textOf(c, checkpoint.Completion))
	}
	if b.Mark != nil {
		b.append(Part{Name: "mark", Title: "Exploration", Tier: ShouldKeep, Text: paragraphs(b.Mark.Markdown(), begun(b.Mark))})
	}
	var completed string
	if c.Status() != checkpoint.Archived {
		var open string
		open, completed = progressOf(c)
		b.append(Part{Name: "progress", Title: "Progress", Tier: ShouldKeep, Text: open})
	}
	b.asides(c)
	files, earlierFiles := trail(c)
	steps, earlierSteps := playByPlay(c)
	crumbs, stale := breadcrumbs(c)
	b.add(checkpoint.Artifacts, ShouldKeep, files)
	b.add(checkpoint.PlayByPlay, ShouldKeep, steps)
	b.add(checkpoint.Context, ShouldKeep, textOf(c, checkpoint.Context))
	b.add(checkpoint.Breadcrumbs, ShouldKeep, crumbs)
	b.append(Part{Name: "completed", Title: "Completed", Tier: CanSummarise, Text: completed})
	b.append(Part{Name: "delta-details", Title: "Deltas in Detail", Tier: CanSummarise, Text: details(c)})
	b.own(c)
	b.append(Part{Name: "earlier-artifacts", Title: "Earlier Artifacts", Tier: CanSummarise, Text: earlierFiles})
	b.append(Part{Name: "earlier-play-by-play", Title: "Earlier Play-By-Play", Tier: CanSummarise, Text: earlierSteps})
	b.append(Part{Name: "stale-breadcrumbs", Title: "Stale Breadcrumbs", Tier: CanSummarise, Text: stale})
	b.append(Part{Name: learned, Title: "Learnings", Tier: ShouldKeep, Text: learningsText(chosen)})
	return b
}

// begun returns the commit, changes and snapshot at the beginning of an exploration.
func begun(m *checkpoint.Mark) string {
	var told []string
	for _, field := range []struct{ name, value string }{{"HEAD", m.Head}, {"Not committed", m.Dirty}, {"Snapshot", m.Snapshot}} {
		if field.value != "" {
			told = append(told, field.name+": "+field.value)
		}
	}
	return strings.Join(told, "; ")
}

// add appends a section. What need not be kept is left out where it only says that
// there is nothing to say.
func (b *Brief) add(k checkpoint.Kind, tier Tier, text string) {
	if tier != MustKeep && checkpoint.IsNone(text) {
		return
	}
	t := k.Template()
	b.append(Part{Name: t.Name, Title: t.Title, Tier: tier, Text: text})
}

// append appends a part, unless it says nothing.
func (b *Brief) append(p Part) {
	switch {
	case p.Text != "":
		p.pieces = cut(p.Text)
	case p.heading && p.Title != "":
		p.pieces = []piece{{text: "\n## " + p.Title + "\n"}}
	default:
		return
	}
	b.Parts = append(b.Parts, p)
}

// text is what a section says, also where it stands twice.
func textOf(c *checkpoint.Checkpoint, k checkpoint.Kind) string {
	return paragraphs(c.Text(k), others(c, k))
}

// others is what the second and further places of a section say: a merge or a hand
// may have left two.
func others(c *checkpoint.Checkpoint, k checkpoint.Kind) string {
	var texts []string
	met := false
	for _, p := range c.Sections() {
		if p.Kind == k {
			if met {
				texts = append(texts, c.Doc.Text(p.Extent))
			}
			met = true
		}
	}
	return paragraphs(texts...)
}

// paragraphs are texts one below the other, empty ones left out.
func paragraphs(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		if t != "" && b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(t)
	}
	return b.String()
}

// learned names, in JSON, the part of the learnings, which are in another file.
const learned = "learnings"

// learningsText returns what other checkpoints taught.
func learningsText(chosen []learnings.Learning) string {
	var b strings.Builder
	for _, l := range chosen[:min(len(chosen), MaxLearnings)] {
		b.WriteString("- " + l.Text)
		from := l.ID
		if len(l.On) > 0 {
			from = strings.TrimPrefix(from+", on branch "+l.On[0], ", ")
		}
		if from != "" {
			b.WriteString(" (" + from + ")")
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}
