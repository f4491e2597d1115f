package checkpoint

import (
	"regexp"
	"strings"
	"time"

	"example.com/ckpt/internal/core/doc"
)

// Delta is a `## Delta:` section: what changed since the checkpoint or the delta
// before it. Deltas are no files of their own.
type Delta struct {
	At          time.Time // zero where Stamp is no time
	Stamp       string    // as written in the heading
	Changed     string    // What Changed
	Artifacts   []Artifact
	Transitions []Transition
	Section     doc.Section
	Parts       []doc.Section // its subsections, known and unknown
}

// Transition is a row of Status Transitions.
type Transition struct{ Item, Before, After string }

var deltaHeading = regexp.MustCompile(`(?i)^delta\b\s*:?\s*(.*)$`)

// deltaTime is the time in a delta's heading, and whether it is one.
func deltaTime(s doc.Section) (string, bool) {
	m := deltaHeading.FindStringSubmatch(s.Title)
	if m == nil || s.Level != 2 {
		return "", false
	}
	return m[1], true
}

// Deltas are the deltas of the file, oldest first as they stand in it.
func (c *Checkpoint) Deltas() []Delta {
	var all []Delta
	for _, s := range c.Doc.Sections() {
		if stamp, ok := deltaTime(s); ok {
			d := Delta{Stamp: stamp, Section: s}
			d.At, _ = ParseTime(stamp)
			all = append(all, d)
			continue
		}
		n := len(all)
		if n == 0 || s.Heading.Start >= all[n-1].Section.Whole.End {
			continue
		}
		d := &all[n-1]
		d.Parts = append(d.Parts, s)
		switch strings.ToLower(strings.Trim(s.Title, "*_: ")) {
		case "what changed":
			d.Changed = c.Doc.Text(s.Body)
		case "artifacts":
			d.Artifacts = artifacts(c.Doc, s.Body)
		case "status transitions":
			for _, a := range artifacts(c.Doc, s.Body) {
				d.Transitions = append(d.Transitions, Transition{a.File, a.Action, a.Change})
			}
		}
	}
	return all
}

// DeltaCount is the number of deltas, without reading them.
func (c *Checkpoint) DeltaCount() int {
	n := 0
	for _, s := range c.Doc.Sections() {
		if _, ok := deltaTime(s); ok {
			n++
		}
	}
	return n
}

// write is the section as the format has it, from its heading on.
func (d Delta) write() string {
	var b strings.Builder
	b.WriteString("## Delta: " + FormatTime(d.At) + "\n\n### What Changed\n\n" + doc.Literal(d.Changed) + "\n\n### Artifacts\n\n")
	b.WriteString(doc.TableRow("File", "Action", "Description") + "|------|--------|-------------|\n")
	for _, a := range d.Artifacts {
		b.WriteString(doc.TableRow(code(a.File), a.Action, a.Change))
	}
	if len(d.Transitions) > 0 {
		b.WriteString("\n### Status Transitions\n\n" + doc.TableRow("Item", "Before", "After") + "|------|--------|-------|\n")
		for _, t := range d.Transitions {
			b.WriteString(doc.TableRow(t.Item, t.Before, t.After))
		}
	}
	return b.String()
}

// code puts a path between backticks, as many as it needs.
func code(path string) string {
	if strings.Contains(path, "`") {
		return "`` " + path + " ``"
	}
	return "`" + path + "`"
}
