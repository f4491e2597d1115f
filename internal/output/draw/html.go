package draw

import (
	"fmt"
	"html"
	"strings"
)

// deepest is the last line that a page has room for; forks of forks beyond it stand on
// it, and say whose forks they are.
const deepest = 16

// html is the picture as a page: each box a line that opens to what the checkpoint says.
// The page loads nothing and runs nothing, and says so to the browser.
func (p *picture) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkpoints</title>
<style>%s</style>
</head>
<body>
<main>
<h1>Checkpoints</h1>
<p class="count">%s</p>
`, pageStyle, p.counts())
	for _, w := range p.warnings {
		fmt.Fprintf(&b, "<p class=\"wrong\">%s</p>\n", html.EscapeString(w))
	}
	b.WriteString("<ol>\n")
	l := p.lanes()
	for i := range p.boxes {
		p.htmlRow(&b, i, l)
	}
	b.WriteString("</ol>\n</main>\n</body>\n</html>\n")
	return b.String()
}

// htmlRow writes one box. Its lines are drawn beside it, as high as it is.
func (p *picture) htmlRow(b *strings.Builder, i int, l *lanes) {
	x := &p.boxes[i]
	class := x.State
	if x.Skipped {
		class += " skipped"
	}
	open := ""
	if x.State == "current" {
		open = " open"
	}
	fmt.Fprintf(b, "<li class=\"%s\" style=\"--lane:%d\">%s", class, min(x.Lane, deepest), p.gutter(i, l))
	words := fmt.Sprintf("<span class=\"id\">%s</span> <span class=\"facts\">%s</span>", html.EscapeString(x.Title),
		html.EscapeString(x.facts()))
	if x.State == "current" {
		words = fmt.Sprintf("<span class=\"id\">%s</span> <span class=\"facts\">%s <b>current</b></span>",
			html.EscapeString(x.Title), strings.TrimPrefix(x.Created+" ·", " ·"))
	}
	if x.About != "" {
		words += fmt.Sprintf("<span class=\"about\">%s</span>", html.EscapeString(x.About))
	}
	for _, problem := range x.Problems {
		words += fmt.Sprintf("<span class=\"wrong\">%s</span>", html.EscapeString(problem))
	}
	if x.checkpoint == nil {
		fmt.Fprintf(b, "<p class=\"words\">%s</p></li>\n", words)
		return
	}
	fmt.Fprintf(b, "<details%s><summary class=\"words\">%s</summary>\n<article id=\"%s\">\n", open, words, x.Name)
	if x.Parent >= 0 {
		parent := p.boxes[x.Parent]
		fmt.Fprintf(b, "<p class=\"facts\">A fork of <a href=\"#%s\">%s</a></p>\n", parent.Name,
			html.EscapeString(parent.Title))
	}
	writeCheckpoint(b, x.checkpoint)
	b.WriteString("</article></details></li>\n")
}

// lanes is what a page knows of its lines while it goes down the rows.
type lanes struct {
	next  []int            // for each box the child that goes on with its line; 0 for none
	until [deepest + 1]int // how far down each line goes
}

func (p *picture) lanes() *lanes {
	l := &lanes{next: make([]int, len(p.boxes))}
	for i, x := range p.boxes {
		if x.Parent >= 0 {
			l.next[x.Parent] = i // the last one stays
		}
	}
	return l
}

// gutter is the lines beside a box: its own, with its mark, and those that pass.
func (p *picture) gutter(i int, l *lanes) string {
	x := &p.boxes[i]
	lane := min(x.Lane, deepest)
	var b strings.Builder
	fmt.Fprintf(&b, "<svg aria-hidden=\"true\" width=\"%d\" height=\"100%%\">", laneX(lane)+16)
	line := func(lane int, from, to string) {
		fmt.Fprintf(&b, "<line class=\"lane l%d\" x1=\"%d\" x2=\"%[2]d\" y1=\"%s\" y2=\"%s\"/>", lane%6, laneX(lane), from,
			to)
	}
	for on := range lane {
		if l.until[on] > i {
			line(on, "0", "100%")
		}
	}
	if x.Parent >= 0 {
		if parent := min(p.boxes[x.Parent].Lane, deepest); parent == lane {
			line(lane, "0", mid)
		} else {
			fmt.Fprintf(&b, "<path class=\"lane l%d\" d=\"M%d 0C%[2]d 12 %d %s %d %[4]s\"/>", lane%6, laneX(parent),
				laneX(parent)+10, mid, laneX(lane))
		}
	}
	if l.until[lane] = l.next[i]; l.next[i] > 0 {
		line(lane, mid, "100%")
	}
	b.WriteString(x.svgDot(laneX(lane), 20))
	b.WriteString("</svg>")
	return b.String()
}

// mid is how far down a row its mark is.
const mid = "20"
