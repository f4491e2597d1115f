package draw

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// dotStyles are the attributes of a box by its state.
var dotStyles = map[string]string{
	"current":  `fillcolor="#1a7f37", color="#116329", fontcolor="#ffffff"`,
	"active":   `fillcolor="#ddf4ff", color="#0969da", fontcolor="#0a3069"`,
	"archived": `fillcolor="#eaeef2", color="#8c959f", fontcolor="#424a53"`,
	unreadable: `fillcolor="#ffebe9", color="#cf222e", fontcolor="#82071e"`,
	missing:    `fillcolor="#ffebe9", color="#cf222e", fontcolor="#82071e", style="rounded,filled,dashed"`,
}

// dot is the picture as a digraph.
func (p *picture) dot() string {
	var b strings.Builder
	b.WriteString(`digraph checkpoints {
  charset="UTF-8";
  node [shape=box, style="rounded,filled", fontname="Helvetica,Arial,sans-serif", fontsize=11, margin="0.16,0.09"];
  edge [color="#8c959f", arrowsize=0.7];
`)
	boxes, edges := p.graph()
	for _, x := range boxes {
		lines := []string{checkpoint.Status(x.State).Symbol() + " " + dotText(x.Title), dotText(x.facts())}
		if x.About != "" {
			lines = append(lines, dotText(cut(x.About, 60)))
		}
		for _, problem := range x.Problems {
			lines = append(lines, "← "+dotText(problem))
		}
		attrs := dotStyles[x.State]
		if x.Skipped {
			attrs = `fillcolor="#f6f8fa", color="#8c959f", fontcolor="#6e7781", style="rounded,filled,dotted"`
		}
		if x.wrong() && x.checkpoint != nil {
			attrs += `, color="#cf222e", penwidth=2`
		}
		fmt.Fprintf(&b, "  %s [label=\"%s\", tooltip=\"%s\", %s];\n", x.Name, strings.Join(lines, `\n`), dotText(x.tip()),
			attrs)
	}
	for _, e := range edges {
		about := ""
		switch {
		case e.back: // it has no say in who stands above whom
			about = ` [style=dashed, color="#cf222e", constraint=false]`
		case e.wrong:
			about = ` [style=dashed, color="#cf222e"]`
		}
		fmt.Fprintf(&b, "  %s -> %s%s;\n", e.from, e.to, about)
	}
	b.WriteString("}\n")
	return b.String()
}

// dotText is text for a string in quotes: Graphviz reads backslashes and entities there.
func dotText(text string) string { return dotEscapes.Replace(text) }

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")
