package draw

import (
	"fmt"
	"html"
	"strings"

	"example.com/ckpt/internal/text"
)

// The dimensions of the picture, in its own units.
const (
	margin   = 28
	laneGap  = 26 // between two lanes
	rowGap   = 16 // between the text of a box and the next box
	lineGap  = 19 // between the lines of a text
	rootGap  = 10 // added above a root
	dot      = 6.5
	longest  = 104 // the maximum number of characters in a line; the tooltip has the whole text
	charUnit = 6.8 // the approximate width of a character
)

const svgStyle = `
  .page { fill: #ffffff; stroke: #d0d7de; }
  text { font: 13px -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328; }
  .head { font-size: 15px; font-weight: 600; }
  .id { font-weight: 600; }
  .facts, .about, .count { fill: #59636e; } .count { font-size: 13px; font-weight: 400; }
  .now { fill: #1a7f37; font-weight: 600; }
  .wrong { fill: #cf222e; }
  .skipped { opacity: .5; }
  .lane { fill: none; stroke-width: 2; }
  .l0 { stroke: #0969da; } .l1 { stroke: #8250df; } .l2 { stroke: #bf8700; }
  .l3 { stroke: #1b7c83; } .l4 { stroke: #bf3989; } .l5 { stroke: #bc4c00; }
  .dot { fill: #ffffff; stroke-width: 2.5; }
  .dot.archived { stroke-width: 2; } .core { fill: #8c959f; stroke: none; } .dot.archived { stroke: #8c959f; }
  .dot.current { fill: #1a7f37; stroke: #1a7f37; } .halo { fill: #1a7f37; opacity: .18; }
  .dot.sick { stroke: #cf222e; } .cross { stroke: #cf222e; stroke-width: 2; fill: none; stroke-linecap: round; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #3d444d; }
    text { fill: #f0f6fc; }
    .facts, .about, .count { fill: #9198a1; }
    .now { fill: #3fb950; } .wrong { fill: #f85149; }
    .l0 { stroke: #4493f8; } .l1 { stroke: #ab7df8; } .l2 { stroke: #d29922; }
    .l3 { stroke: #39c5cf; } .l4 { stroke: #db61a2; } .l5 { stroke: #f0883e; }
    .dot { fill: #0d1117; } .core { fill: #9198a1; } .dot.archived { stroke: #9198a1; }
    .dot.current { fill: #3fb950; stroke: #3fb950; } .halo { fill: #3fb950; }
    .dot.sick { stroke: #f85149; } .cross { stroke: #f85149; }
  }
`

// svg draws the lineage in lanes: a line runs down from each checkpoint, and its forks branch off to the right.
func (p picture) svg(counts string) string {
	const head = 64
	var lines, rows strings.Builder
	y, width := head, margin+100+columns(counts)*charUnit+margin
	at := make([]int, len(p)) // the vertical position of each dot
	for i, x := range p {
		if x.Parent < 0 && i > 0 {
			y += rootGap
		}
		at[i] = y
		if x.Parent >= 0 { // a line runs down from the parent and curves to the box just above it
			from, to := laneX(p[x.Parent].Lane), laneX(x.Lane)
			fmt.Fprintf(&lines, "<path class=\"lane l%d\" d=\"M%d %dV%dC%d %d %d %d %d %d\"/>\n", x.Lane%6, from,
				at[x.Parent], y-24, from, y-8, from+10, y, to, y)
		}
		words := x.svgRow(&rows, y)
		width = max(width, float64(laneX(x.Lane)+16)+words*charUnit+margin)
		y += lineGap*len(x.lines()) + rowGap
	}
	if len(p) == 0 {
		y += rowGap
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" role="img" aria-labelledby="ckpt-tree-title ckpt-tree-desc">
<title id="ckpt-tree-title">Checkpoints</title>
<desc id="ckpt-tree-desc">The lineage of %s. A fork is drawn below its parent, to the right.</desc>
<style>%s</style>
<rect class="page" x="0.5" y="0.5" width="%.0f" height="%d" rx="10"/>
<text class="head" x="%d" y="34">Checkpoints<tspan class="count" dx="10">%s</tspan></text>
`, width, y, width, y, counts, svgStyle, width-1, y-1, margin-8, counts)
	b.WriteString(lines.String())
	b.WriteString(rows.String())
	b.WriteString("</svg>\n")
	return b.String()
}

// lines returns the lines of text of a box with their classes. The first line is the title; svgRow adds
// the facts to it.
func (b *box) lines() [][2]string {
	all := [][2]string{{"id", b.Title}}
	if b.About != "" {
		all = append(all, [2]string{"about", b.About})
	}
	for _, problem := range b.Problems {
		all = append(all, [2]string{"wrong", problem})
	}
	return all
}

// svgRow draws a box with its text and returns the length of the longest line.
func (b *box) svgRow(to *strings.Builder, y int) (longestLine float64) {
	left := laneX(b.Lane)
	class := "row"
	if b.Skipped {
		class += " skipped"
	}
	fmt.Fprintf(to, "<g class=\"%s\"><title>%s</title>\n%s", class, html.EscapeString(b.tip()), b.svgDot(left, y))
	for i, line := range b.lines() {
		words := text.Shorten(line[1], longest)
		length, facts := columns(words), ""
		if i == 0 {
			length = length*1.08 + columns(b.facts()) + 2
			state := strings.Replace(b.facts(), "current", `<tspan class="now">current</tspan>`, 1)
			facts = fmt.Sprintf("<tspan class=\"facts\" dx=\"9\">%s</tspan>", state)
		}
		longestLine = max(longestLine, length)
		fmt.Fprintf(to, "<text x=\"%d\" y=\"%.1f\"><tspan class=\"%s\">%s</tspan>%s</text>\n", left+16,
			float64(y+i*lineGap)+4.5, line[0], html.EscapeString(words), facts)
	}
	to.WriteString("</g>\n")
	return longestLine
}

// svgDot returns the mark of a box.
func (b *box) svgDot(left, y int) string {
	if b.State == unreadable {
		return fmt.Sprintf("<path class=\"cross\" d=\"M%d %dl10 10m0 -10l-10 10\"/>\n", left-5, y-5)
	}
	class := fmt.Sprintf("dot l%d %s", b.Lane%6, b.State)
	if b.wrong() {
		class += " sick"
	}
	circle := fmt.Sprintf("<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%.1f\"/>\n", class, left, y, dot)
	switch b.State {
	case "current":
		return fmt.Sprintf("<circle class=\"halo\" cx=\"%d\" cy=\"%d\" r=\"12\"/>\n%s", left, y, circle)
	case "archived":
		return circle + fmt.Sprintf("<circle class=\"core\" cx=\"%d\" cy=\"%d\" r=\"3\"/>\n", left, y)
	}
	return circle
}

func laneX(lane int) int { return margin + laneGap*lane }

// columns returns the approximate width of text, in Latin characters.
func columns(text string) float64 {
	n := 0.0
	for _, r := range text {
		if r < 0x1100 {
			n++
		} else {
			n += 1.9
		}
	}
	return n
}
