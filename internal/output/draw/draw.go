// Package draw draws the lineage: for Mermaid, as SVG and as a list of HTML for the site.
//
// Every format shows what the tree of box characters shows: each checkpoint once, with its
// state and its problems, and the files that cannot be read. Text is literal: nothing in a
// file becomes markup, a directive or a link, and characters that change the reading
// direction or are not text are removed. The same forest gives the same bytes.
package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/output/markup"
)

// Format is an output format.
type Format string

// The formats, as `ckpt tree --format` names them.
const (
	Mermaid Format = "mermaid" // a flowchart, which GitHub draws in Markdown
	SVG     Format = "svg"     // a self-contained picture, light or dark
)

// Formats returns all formats.
func Formats() []Format { return []Format{Mermaid, SVG} }

// Forest draws the lineage. The remarks name limits of the format that it exceeds.
func Forest(f *lineage.Forest, as Format) (drawn string, remarks []string) {
	p := pictureOf(f)
	if as == SVG {
		return p.svg(), nil
	}
	drawn = p.mermaid()
	return drawn, p.mermaidLimits(drawn)
}

// The states of a box besides those of a checkpoint.
const (
	unreadable = "unreadable" // a file that cannot be read
	missing    = "missing"    // a parent that no file has
)

// box is one box of the drawing.
type box struct {
	Name     string // n1, n2, ...: unique, even if ids are not
	Title    string // the id; for an unreadable file its path
	State    string
	Created  string // a day, if it is known
	About    string // the topic, in one sentence
	Problems []string
	Skipped  bool  // filtered out; shown because of its descendants
	Lane     int   // the column of its dot, 0 at the left: its depth, at most deepest
	Parent   int   // the index of the parent's box; -1 for a root
	Last     bool  // no sibling follows
	Passing  []int // the lanes of lines that pass beside it, to siblings of its ancestors

	checkpoint *checkpoint.Checkpoint // nil for an unreadable file and a missing parent
	torn       string                 // the path of the unreadable file that may be its parent
}

// edge leads from a parent to its child.
type edge struct {
	from, to string
	wrong    bool // the edge is not part of the tree
}

// picture is a forest as boxes and edges. All of its text is harmless and on one line.
type picture struct {
	boxes  []box // in the order of a tree; then files that cannot be read
	edges  []edge
	ghosts []box  // missing parents, which only graphs show
	astray []edge // edges that close a cycle or lead from a ghost or an unreadable file
}

// deepest is the last lane. Deeper forks share it.
const deepest = 16

// pictureOf converts a forest. A fork is in the lane to the right of its parent's.
func pictureOf(f *lineage.Forest) *picture {
	p := &picture{}
	var above []int // the indexes of the current box's ancestors
	byPath := map[string]string{}
	for depth, n := range f.Walk() {
		b := boxOf(n)
		b.Name = fmt.Sprintf("n%d", len(p.boxes)+1)
		if depth > 0 {
			b.Parent = above[depth-1]
			parent := p.boxes[b.Parent]
			b.Lane, b.Last, b.Passing = min(depth, deepest), n.Last, parent.Passing
			if parent.Parent >= 0 && !parent.Last && parent.Lane < deepest {
				b.Passing = append(slices.Clip(b.Passing), parent.Lane-1)
			}
			p.edges = append(p.edges, edge{from: parent.Name, to: b.Name})
		}
		above = append(above[:depth], len(p.boxes))
		byPath[b.checkpoint.Path] = b.Name
		p.boxes = append(p.boxes, b)
	}
	for _, b := range f.Broken {
		name := fmt.Sprintf("n%d", len(p.boxes)+1)
		byPath[b.Path] = name
		p.boxes = append(p.boxes, box{Name: name, Title: plain(b.Path), State: unreadable,
			Problems: []string{plain(b.Err.Error())}, Parent: -1})
	}
	p.findAstray(f, byPath)
	return p
}

func boxOf(n *lineage.Node) box {
	c := n.Checkpoint
	b := box{Title: plain(c.ID), State: string(c.Status()), About: plain(c.Headline()), Skipped: n.Skipped, Parent: -1,
		checkpoint: c}
	if created := c.Created(); !created.IsZero() {
		b.Created = created.Format("2006-01-02")
	}
	for _, problem := range n.Problems {
		b.Problems = append(b.Problems, plain(problem.String()))
		if problem.Kind == lineage.MissingParent && len(problem.Names) > 1 {
			b.torn = problem.Names[1]
		}
	}
	return b
}

// findAstray adds the edges from named parents that are not above their children in the tree.
func (p *picture) findAstray(f *lineage.Forest, byPath map[string]string) {
	ghosts := map[string]string{}
	for _, b := range p.boxes {
		if b.Parent >= 0 || b.State == unreadable {
			continue
		}
		id := b.checkpoint.Parent()
		node, known := f.Find(id)
		switch {
		case id == "" || known && byPath[node.Checkpoint.Path] == "": // a root, or the parent is not drawn
		case known:
			p.astray = append(p.astray, edge{from: byPath[node.Checkpoint.Path], to: b.Name, wrong: true})
		default:
			from := cmp.Or(byPath[b.torn], ghosts[id])
			if from == "" {
				from = fmt.Sprintf("n%d", len(p.boxes)+len(p.ghosts)+1)
				ghosts[id] = from
				p.ghosts = append(p.ghosts, box{Name: from, Title: plain(id), State: missing, Parent: -1})
			}
			p.astray = append(p.astray, edge{from: from, to: b.Name, wrong: true})
		}
	}
}

// graph returns all boxes and edges, with the ghosts.
func (p *picture) graph() ([]box, []edge) {
	return slices.Concat(p.boxes, p.ghosts), slices.Concat(p.edges, p.astray)
}

// facts returns the date and the state of a box.
func (b *box) facts() string {
	facts := b.State
	if b.Created != "" {
		facts = b.Created + " · " + facts
	}
	return facts
}

// wrong reports whether the box has a problem.
func (b *box) wrong() bool { return len(b.Problems) > 0 }

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
