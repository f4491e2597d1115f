package output

import (
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
)

// Tree draws the lineage in box characters. Nothing is dropped: what is wrong
// with a place stands behind the name. A person sees there what the work is for, too.
func (p Text) Tree(f *lineage.Forest) error {
	style := p.pen()
	for _, n := range f.Walk() {
		c := n.Checkpoint
		mark := branches(n.Trail()) + c.Status().Symbol() + " "
		about := " [" + string(c.Status()) + "]"
		if n.On != nil {
			about = " [" + string(c.Status()) + ", on " + n.On.String() + "]"
		}
		if created := c.Created(); !created.IsZero() {
			about = " (" + created.Format("2006-01-02") + ")" + about
		}
		line := ink(mark) + style.Bold(c.ID) + ink(about)
		if n.Skipped {
			line = style.Dim(mark + c.ID + about)
		}
		column := utf8.RuneCountInString(mark + c.ID + about)
		for _, problem := range n.Problems {
			said := "← " + problem.String()
			line += "  " + style.Red(said)
			column += utf8.RuneCountInString("  " + said)
		}
		p.printf("%s%s\n", line, style.Dim(p.beside(c.Headline(), column)))
	}
	for _, b := range f.Broken {
		p.printf("%s %s  %s\n", checkpoint.Status("").Symbol(), b.Path, style.Red("unreadable: "+b.Err.Error()))
	}
	return p.treeRemarks(f)
}

// beside is what a person sees of a text right of a line that ends at a column; nothing
// where there is no room, and in a pipe, where scripts know the line as it is.
func (p Text) beside(text string, column int) string {
	const gap = "  "
	column += len(gap)
	if text == "" || !p.Streams.OutIsTerminal() || !p.room(column) {
		return ""
	}
	return gap + shorten(text, p.Streams.Width()-column)
}

// treeRemarks says what is no part of a tree, however it is drawn.
func (p Text) treeRemarks(f *lineage.Forest) error {
	if len(f.Roots) == 0 && len(f.Broken) == 0 {
		p.remark("no checkpoint to draw (ckpt new NAME begins one)")
	}
	p.remark(f.Warnings...)
	return p.done()
}

// branches are the lines before a node; trail says for each level whether the
// node there is the last one.
func branches(trail []bool) string {
	if len(trail) < 2 {
		return ""
	}
	var b strings.Builder
	for _, last := range trail[1 : len(trail)-1] {
		if last {
			b.WriteString("    ")
		} else {
			b.WriteString("│   ")
		}
	}
	if trail[len(trail)-1] {
		b.WriteString("└── ")
	} else {
		b.WriteString("├── ")
	}
	return b.String()
}

// Picture writes what has been drawn of a lineage, harmless as it is.
func (p Text) Picture(f *lineage.Forest, drawn string, remarks []string) error {
	p.printf("%s", ink(drawn))
	p.remark(remarks...)
	return p.treeRemarks(f)
}
