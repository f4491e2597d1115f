package checkpoint

import (
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
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
type Transition struct {
	Item   string `json:"item"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// deltaTime is the time in a delta's heading, and whether it is one: `## Delta:`
// and whatever follows, or Delta and a time. "Delta encoding" is no delta.
func deltaTime(s doc.Section) (string, bool) {
	const word = "delta"
	if s.Level != 2 || len(s.Title) < len(word) || !strings.EqualFold(s.Title[:len(word)], word) {
		return "", false
	}
	rest := strings.TrimSpace(s.Title[len(word):])
	if stamp, ok := strings.CutPrefix(rest, ":"); ok || rest == "" {
		return strings.TrimSpace(stamp), true
	}
	stamp := strings.Trim(rest, "-–—() ")
	_, ok := ParseTime(stamp)
	return stamp, ok
}

// Deltas are the deltas of the file, oldest first as they stand in it. The caller
// must not change the slice.
func (c *Checkpoint) Deltas() []Delta {
	c.onceDeltas.Do(func() { c.deltas = findDeltas(c.Doc) })
	return c.deltas
}

func findDeltas(file *doc.Doc) []Delta {
	var all []Delta
	for _, s := range file.Sections() {
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
		switch plainTitle(s.Title) {
		case "what changed":
			d.Changed = file.Text(s.Body)
		case "artifacts":
			d.Artifacts = artifacts(file, s.Body)
		case "status transitions":
			for _, a := range artifacts(file, s.Body) {
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
		b.WriteString(doc.TableRow(Code(a.File), a.Action, a.Change))
	}
	if len(d.Transitions) > 0 {
		b.WriteString("\n### Status Transitions\n\n" + doc.TableRow("Item", "Before", "After") + "|------|--------|-------|\n")
		for _, t := range d.Transitions {
			b.WriteString(doc.TableRow(t.Item, t.Before, t.After))
		}
	}
	return b.String()
}

// Code puts a path between backticks, as many as it needs.
func Code(path string) string {
	fence := "`"
	for strings.Contains(path, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + path + " " + fence
	}
	return fence + path + fence
}

// plain is the text of a cell that is one code span, else the cell.
func plain(cell string) string {
	n := len(cell) - len(strings.TrimLeft(cell, "`"))
	if n == 0 || len(cell) < 2*n || !strings.HasSuffix(cell, cell[:n]) || strings.Contains(cell[n:len(cell)-n], cell[:n]) {
		return cell
	}
	return strings.TrimSpace(cell[n : len(cell)-n])
}
