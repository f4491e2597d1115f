package draw

import (
	"fmt"
	"html"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
)

// Rows returns the lineage as a list of HTML, whose rows link to the pages of the checkpoints, and
// the number of checkpoints in words. Its style sheet is [PageStyle].
func Rows(f *lineage.Forest, page func(*checkpoint.Checkpoint) string) (rows, counts string) {
	p := pictureOf(f)
	var b strings.Builder
	b.WriteString("<ol class=\"tree\">\n")
	for i := range p.boxes {
		x := &p.boxes[i]
		class := x.State
		if x.Skipped {
			class += " skipped"
		}
		fmt.Fprintf(&b, "<li class=\"%s at%d\">%s", class, x.Lane, p.gutter(i))
		if x.checkpoint == nil {
			fmt.Fprintf(&b, "<p class=\"words\">%s</p>", x.htmlWords())
		} else {
			fmt.Fprintf(&b, "<a class=\"words\" href=\"%s\">%s</a>", html.EscapeString(page(x.checkpoint)), x.htmlWords())
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ol>\n")
	return b.String(), p.counts()
}

// htmlWords returns the text of a row.
func (x *box) htmlWords() string {
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
	return words
}

// gutter draws the lanes beside a box: its own, with its dot, and those that pass.
func (p *picture) gutter(i int) string {
	x := &p.boxes[i]
	var b strings.Builder
	fmt.Fprintf(&b, "<svg aria-hidden=\"true\" width=\"%d\" height=\"100%%\">", laneX(x.Lane)+16)
	line := func(lane int, from, to string) {
		fmt.Fprintf(&b, "<line class=\"lane l%d\" x1=\"%d\" x2=\"%[2]d\" y1=\"%s\" y2=\"%s\"/>", (lane+1)%6, laneX(lane),
			from, to)
	}
	for _, lane := range x.Passing {
		line(lane, "0", "100%")
	}
	if x.Parent >= 0 {
		from := p.boxes[x.Parent].Lane
		if !x.Last {
			line(from, "0", "100%")
		}
		fmt.Fprintf(&b, "<path class=\"lane l%d\" d=\"M%d 0C%[2]d 12 %d %s %d %[4]s\"/>", x.Lane%6, laneX(from),
			laneX(from)+10, mid, laneX(x.Lane))
	}
	if i+1 < len(p.boxes) && p.boxes[i+1].Parent == i {
		line(x.Lane, mid, "100%")
	}
	b.WriteString(x.svgDot(laneX(x.Lane), 20))
	b.WriteString("</svg>")
	return b.String()
}

// mid is the distance of a dot from the top of its row.
const mid = "20"

// PageStyle is the style sheet of a page and of [Rows]. It has the colours of svgStyle.
const PageStyle = `
:root { color-scheme: light dark; --page: #ffffff; --text: #1f2328; --soft: #59636e; --rim: #d0d7de; --code: #f6f8fa; --now: #1a7f37; --wrong: #cf222e; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0; }
.count { color: var(--soft); margin: .25rem 0 1.5rem; }
.tree { list-style: none; margin: 0; padding: 0; }
.tree > li { position: relative; display: flow-root; padding-left: calc(var(--lane, 0) * 26px + 48px); }
.at1 { --lane: 1; } .at2 { --lane: 2; } .at3 { --lane: 3; } .at4 { --lane: 4; } .at5 { --lane: 5; } .at6 { --lane: 6; }
.at7 { --lane: 7; } .at8 { --lane: 8; } .at9 { --lane: 9; } .at10 { --lane: 10; } .at11 { --lane: 11; } .at12 { --lane: 12; }
.at13 { --lane: 13; } .at14 { --lane: 14; } .at15 { --lane: 15; } .at16 { --lane: 16; }
.tree > li > svg { position: absolute; left: 0; top: 0; }
.words { display: block; margin: 0; padding: 8px 10px 10px; border-radius: 8px; overflow-wrap: anywhere; }
a:focus-visible { outline: 2px solid #0969da; outline-offset: -2px; }
.id { font-weight: 600; margin-right: .4rem; }
.facts, .about { color: var(--soft); }
.facts b { color: var(--now); }
.about, .words > .wrong { display: block; }
.wrong { color: var(--wrong); }
.skipped > svg, .skipped .words { opacity: .5; }
article { margin: 2px 0 20px 10px; padding: 2px 18px 10px; border: 1px solid var(--rim); border-radius: 8px; overflow-wrap: anywhere; }
article h2, article h3 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; } article h4, article h5, article h6 { font-size: .95rem; margin: 1rem 0 .2rem; }
article p, article ul, article ol { margin: .3rem 0; } article ul, article ol { padding-left: 1.4rem; }
.struck { text-decoration: line-through; font-style: normal; }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--rim); color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .8rem 0; font-size: .85rem; color: var(--soft); } dd { margin: 0; color: var(--text); }
code, pre { font: .87em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); border-radius: 5px; }
code { padding: .1em .3em; } pre code { padding: 0; font-size: 1em; } pre { padding: .7rem .9rem; overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; display: block; overflow-x: auto; } th, td { border: 1px solid var(--rim); padding: .25rem .6rem; text-align: left; vertical-align: top; }
a { color: #0969da; }
.lane { fill: none; stroke-width: 2; }
.l0 { stroke: #0969da; } .l1 { stroke: #8250df; } .l2 { stroke: #bf8700; } .l3 { stroke: #1b7c83; } .l4 { stroke: #bf3989; } .l5 { stroke: #bc4c00; }
.dot { fill: var(--page); stroke-width: 2.5; } .dot.archived { stroke-width: 2; stroke: #8c959f; } .core { fill: #8c959f; }
.dot.current { fill: var(--now); stroke: var(--now); } .halo { fill: var(--now); opacity: .18; }
.dot.sick, .cross { stroke: var(--wrong); } .cross { stroke-width: 2; fill: none; stroke-linecap: round; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --text: #f0f6fc; --soft: #9198a1; --rim: #3d444d; --code: #161b22; --now: #3fb950; --wrong: #f85149; }
  .l0 { stroke: #4493f8; } .l1 { stroke: #ab7df8; } .l2 { stroke: #d29922; } .l3 { stroke: #39c5cf; } .l4 { stroke: #db61a2; } .l5 { stroke: #f0883e; }
  .dot.archived { stroke: #9198a1; } .core { fill: #9198a1; } a { color: #4493f8; } a:focus-visible { outline-color: #4493f8; }
}
`
