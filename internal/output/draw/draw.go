// Package draw draws the lineage: for Mermaid, and as SVG.
//
// Every format shows the same as the text of `ckpt tree`: each checkpoint once, with its
// state and its problems, and the files that cannot be read. Text is literal: nothing in a
// file becomes markup, a directive or a link, and characters that change the reading
// direction or are not text are removed or replaced. The same forest gives the same bytes.
package draw

import (
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/output/markup"
	"example.com/ckpt/internal/text"
)

// Format is an output format.
type Format string

// The formats, as `ckpt tree --format` names them.
const (
	Mermaid Format = "mermaid" // a flowchart, which GitHub draws in Markdown
	SVG     Format = "svg"     // a self-contained picture, light or dark
)

// Forest draws the lineage. The remarks name limits of the format that the drawing exceeds.
func Forest(f *lineage.Forest, as Format) (drawn string, remarks []string) {
	p := pictureOf(f)
	if as == SVG {
		return p.svg(Counts(f)), nil
	}
	drawn = p.mermaid()
	return drawn, mermaidLimits(drawn)
}

// unreadable is the state of a file that cannot be read.
const unreadable = "unreadable"

// box is one box of the drawing.
type box struct {
	Name     string // n1, n2, ...: unique, even if ids are not
	Title    string // the id; for an unreadable file its path
	State    string // the status of the checkpoint, or unreadable
	Created  string // a day, if it is known
	About    string // the topic, in one sentence
	Problems []string
	Skipped  bool // filtered out; shown because of its descendants
	Lane     int  // the column of its dot, 0 at the left: its depth, at most deepest
	Parent   int  // the index of the parent's box; -1 for a root
}

// picture has a box for each checkpoint in the order of a tree, then one for each file that cannot be read.
// Each text is on one line, and harmless in the sense of [markup.Harmless].
type picture []box

// deepest is the last lane. Deeper forks share it.
const deepest = 16

// pictureOf converts a forest. A fork is in the lane to the right of its parent's.
func pictureOf(f *lineage.Forest) picture {
	var p picture
	var above []int // the indexes of the current box's ancestors
	for depth, n := range f.Walk() {
		c := n.Checkpoint
		b := box{Title: plain(c.ID), State: string(c.Status()), About: plain(c.Headline()), Skipped: n.Skipped,
			Lane: min(depth, deepest), Parent: -1}
		if created := c.Created(); !created.IsZero() {
			b.Created = created.Format(time.DateOnly)
		}
		for _, problem := range n.Problems {
			b.Problems = append(b.Problems, plain(problem.String()))
		}
		if depth > 0 {
			b.Parent = above[depth-1]
		}
		above = append(above[:depth], len(p))
		p = append(p, b)
	}
	for _, b := range f.Broken {
		p = append(p, box{Title: plain(b.Path), State: unreadable, Problems: []string{plain(b.Err.Error())}, Parent: -1})
	}
	for i := range p {
		p[i].Name = fmt.Sprintf("n%d", i+1)
	}
	return p
}

// facts returns the date and the state of a box.
func (b *box) facts() string {
	facts := b.State
	if b.Created != "" {
		facts = b.Created + " · " + facts
	}
	return facts
}

// wrong reports whether the box is of a checkpoint with a problem.
func (b *box) wrong() bool { return len(b.Problems) > 0 && b.State != unreadable }

// plain returns text on one line, without control characters.
func plain(text string) string { return strings.Join(strings.Fields(markup.Harmless(text)), " ") }

// tip returns everything about a box on one line.
func (b *box) tip() string {
	line := b.Title + ": " + b.facts()
	for _, more := range append([]string{b.About}, b.Problems...) {
		if more != "" {
			line += " · " + more
		}
	}
	return line
}

// Counts returns the number of checkpoints of each state: "3 checkpoints: 1 current, 2 archived".
func Counts(f *lineage.Forest) string {
	n, wrong := map[string]int{unreadable: len(f.Broken)}, 0
	for _, node := range f.Walk() {
		if !node.Skipped {
			n[string(node.Checkpoint.Status())]++
		}
		if len(node.Problems) > 0 {
			wrong++
		}
	}
	var states []string
	for _, state := range []string{"current", "active", "archived", unreadable} {
		if n[state] > 0 {
			states = append(states, fmt.Sprintf("%d %s", n[state], state))
		}
	}
	if wrong > 0 {
		states = append(states, fmt.Sprintf("%d with a problem", wrong))
	}
	line := text.Count(n["current"]+n["active"]+n["archived"], "checkpoint")
	if len(states) > 0 {
		line += ": " + strings.Join(states, ", ")
	}
	return line
}
