package draw

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
)

// The states of a box besides those of a checkpoint.
const (
	unreadable = "unreadable" // a file that cannot be read
	missing    = "missing"    // a parent that no file has
)

// box is one thing to draw.
type box struct {
	Name     string // n1, n2, ...: unique, whatever ids hold
	Title    string // the id; for an unreadable file its path
	State    string
	Created  string // a day, or ""
	On       string // the branch that has it, where the one checked out lacks it
	About    string // what it is about, in one sentence
	Problems []string
	Skipped  bool // filtered out, and here only because it has descendants that are not
	Lane     int  // the line of the picture that it stands on, 0 at the left
	Parent   int  // the index of the box that it hangs below; -1 for none

	checkpoint *checkpoint.Checkpoint // nil for what is none
	torn       string                 // the path of the file that its parent may be, and that cannot be read
}

// edge leads from a parent to its child.
type edge struct {
	from, to string
	wrong    bool // it is none of the tree's
	back     bool // it closes a cycle
}

// picture is a forest, taken apart for drawing: all text in it is harmless and on
// one line.
type picture struct {
	boxes []box // in the order of a tree; then files that cannot be read
	edges []edge
	// What graphs show and trees do not: missing parents, and edges that close a
	// cycle or come from what is no node of the tree.
	ghosts []box
	astray []edge

	warnings []string
}

// pictureOf takes a forest apart. A last child stays on its parent's line and others
// get one to the right of it, so a line of work that was never forked is one line.
func pictureOf(f *lineage.Forest) *picture {
	p := &picture{}
	for _, w := range f.Warnings {
		p.warnings = append(p.warnings, plain(w))
	}
	var above []int // the boxes on the way to the one at hand
	byPath := map[string]string{}
	for depth, n := range f.Walk() {
		b := boxOf(n)
		b.Name = fmt.Sprintf("n%d", len(p.boxes)+1)
		if depth > 0 {
			b.Parent = above[depth-1]
			parent := p.boxes[b.Parent]
			if b.Lane = parent.Lane; !n.Last {
				b.Lane++
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
	if n.On != nil {
		b.On = plain(n.On.String())
	}
	for _, problem := range n.Problems {
		b.Problems = append(b.Problems, plain(problem.String()))
		if problem.Kind == lineage.MissingParent && len(problem.Names) > 1 {
			b.torn = problem.Names[1]
		}
	}
	return b
}

// findAstray adds the edges that the tree has no place for, to the parents that
// checkpoints name all the same.
func (p *picture) findAstray(f *lineage.Forest, byPath map[string]string) {
	ghosts := map[string]string{}
	for _, b := range p.boxes {
		if b.Parent >= 0 || b.State == unreadable {
			continue
		}
		id := b.checkpoint.Parent() // it is no child in the tree
		node, known := f.Find(id)
		switch {
		case id == "" || known && byPath[node.Checkpoint.Path] == "": // a root, or the parent is not in this picture
		case known:
			p.astray = append(p.astray, edge{byPath[node.Checkpoint.Path], b.Name, true, true})
		default:
			from := byPath[b.torn]
			if from == "" {
				from = ghosts[id]
			}
			if from == "" {
				from = fmt.Sprintf("n%d", len(p.boxes)+len(p.ghosts)+1)
				ghosts[id] = from
				p.ghosts = append(p.ghosts, box{Name: from, Title: plain(id), State: missing, Parent: -1})
			}
			p.astray = append(p.astray, edge{from: from, to: b.Name, wrong: true})
		}
	}
}

// graph is all boxes and edges, ghosts included.
func (p *picture) graph() ([]box, []edge) {
	return append(p.boxes[:len(p.boxes):len(p.boxes)], p.ghosts...), append(p.edges[:len(p.edges):len(p.edges)],
		p.astray...)
}

// facts are a box's date and state.
func (b *box) facts() string {
	facts := b.State
	if b.Created != "" {
		facts = b.Created + " · " + facts
	}
	if b.On != "" {
		facts += " · on " + b.On
	}
	return facts
}

// wrong says whether something is wrong with the box or its place.
func (b *box) wrong() bool { return len(b.Problems) > 0 }

// plain is text as one harmless line.
func plain(text string) string {
	line := strings.Join(strings.Fields(term.Plain(text)), " ")
	return strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff { // no characters, in XML least of all
			return '\ufffd'
		}
		return r
	}, line)
}

// cut is text of at most n characters.
func cut(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// tip is all that there is to say of a box, on one line.
func (b *box) tip() string {
	line := b.Title + ": " + b.facts()
	for _, more := range append([]string{b.About}, b.Problems...) {
		if more != "" {
			line += " · " + more
		}
	}
	return line
}
