package output

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/revisions"
)

// Past is Checkpoint for one as it was.
func (p Text) Past(c *checkpoint.Checkpoint, only *checkpoint.Section, v revisions.Version) error {
	p.remark(c.ID + " as of " + asOf(v) + ": " + v.Subject)
	return p.Checkpoint(c, only)
}

func asOf(v revisions.Version) string {
	if v.Pending != "" {
		return "what waits in " + v.Pending
	}
	return v.Short() + " (" + minute(v.Time) + ")"
}

// Diff is what changed, in a line and then section by section.
func (p Text) Diff(c *revisions.Comparison) error {
	style := p.pen()
	to := "now"
	if c.To != nil {
		to = asOf(*c.To)
	}
	if c.Diff.Empty() && !c.Diff.Spacing {
		p.remark(c.ID + " is the same at " + asOf(c.From) + " and " + to + " (ckpt log)")
		return p.done()
	}
	p.printf("%s  %s → %s\n", style.Bold(c.ID), asOf(c.From), to)
	if words := c.Diff.Words(); words != "" {
		p.printf("%s\n", style.Dim(words))
	}
	p.changes(c.Diff)
	return p.done()
}

// Fork is what a fork and its parent have each changed since.
func (p Text) Fork(f *revisions.Fork) error {
	style := p.pen()
	since := "the fork"
	if f.Since != nil {
		since = asOf(*f.Since)
	}
	for i, side := range []struct {
		id, did, none string
		diff          *revisions.Diff
	}{
		{f.ID, "changed since " + since, "has what " + f.Parent + " gave it, and nothing else", f.Own},
		{f.Parent, "gained since " + since + ", and " + f.ID + " lacks", "has gained nothing that " + f.ID + " lacks", f.Gained},
	} {
		if i > 0 {
			p.printf("\n")
		}
		if side.diff.Empty() {
			p.printf("%s %s\n", style.Bold(side.id), side.none)
			continue
		}
		p.printf("%s %s: %s\n", style.Bold(side.id), side.did, side.diff.Words())
		p.changes(side.diff)
	}
	p.remark(f.Remarks...)
	return p.done()
}

// changes are the texts that changed: + is new, - is gone, ~ was reworded.
func (p Text) changes(d *revisions.Diff) {
	style := p.pen()
	for _, s := range d.Sections {
		p.printf("\n%s\n", style.Bold(s.Title))
		for _, r := range s.Reworded {
			p.printf("%s\n%s\n", style.Red("~ "+indented(r.Before)), style.Green("  → "+indented(r.After)))
		}
		if s.Prose != nil {
			p.side("- ", s.Prose.Before, style.Red)
			p.side("+ ", s.Prose.After, style.Green)
		}
		for _, text := range s.Removed {
			p.side("- ", text, style.Red)
		}
		for _, text := range s.Added {
			p.side("+ ", text, style.Green)
		}
		if s.Reordered {
			p.printf("  %s\n", style.Dim("what stayed stands in another order"))
		}
	}
	if len(d.Fields) > 0 {
		p.printf("\n%s\n", style.Bold("Frontmatter"))
	}
	for _, f := range d.Fields {
		if f.Before != "" {
			p.side("- ", f.Key+": "+f.Before, style.Red)
		}
		if f.After != "" {
			p.side("+ ", f.Key+": "+f.After, style.Green)
		}
	}
}

func (p Text) side(mark, text string, colour func(string) ink) {
	if text != "" {
		p.printf("%s\n", colour(mark+indented(text)))
	}
}

// indented puts the lines of a text below each other, behind a mark.
func indented(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n  "), "\n  \n", "\n\n")
}
