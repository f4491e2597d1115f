// Package draw is the lineage as a picture: for Mermaid, for Graphviz, as SVG and as
// a page of HTML.
//
// Every format shows what the tree of box characters shows: each checkpoint of the
// forest once, its state, and in words what is wrong with its place; files that cannot
// be read, too. Text is literal: nothing that a file holds becomes markup, a directive
// or a link, and what would change the reading direction or is no character of text is
// gone. The same forest gives the same bytes.
package draw

import "example.com/ckpt/internal/lineage"

// Format is one way to draw.
type Format string

// The formats, as `ckpt tree --format` names them.
const (
	Mermaid Format = "mermaid" // a flowchart, as GitHub draws it in Markdown
	DOT     Format = "dot"     // a digraph for Graphviz
	SVG     Format = "svg"     // a picture that needs nothing else, light or dark
	HTML    Format = "html"    // a page that needs nothing else, with what each checkpoint says
)

// Formats are all of them.
func Formats() []Format { return []Format{Mermaid, DOT, SVG, HTML} }

// Forest draws the lineage. The remarks say what the format's readers will not take.
func Forest(f *lineage.Forest, as Format) (drawn string, remarks []string) {
	p := pictureOf(f)
	switch as {
	case Mermaid:
		drawn = p.mermaid()
		return drawn, p.mermaidLimits(drawn)
	case DOT:
		return p.dot(), nil
	case SVG:
		return p.svg(), nil
	}
	return p.html(), nil
}
