package draw

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// The limits of Mermaid if it is not configured, as on GitHub
// (https://mermaid.js.org/config/schema-docs/config.html: maxEdges, maxTextSize).
const (
	mermaidEdges = 500
	mermaidChars = 50_000
)

// mermaidStyles has the style of each class, readable on a light page and on a dark one.
var mermaidStyles = [][2]string{
	{"current", "fill:#1a7f37,stroke:#116329,color:#ffffff"},
	{"active", "fill:#ddf4ff,stroke:#0969da,color:#0a3069"},
	{"archived", "fill:#eaeef2,stroke:#8c959f,color:#424a53"},
	{unreadable, "fill:#ffebe9,stroke:#cf222e,color:#82071e"},
	{"skipped", "fill:#f6f8fa,stroke:#8c959f,color:#6e7781,stroke-dasharray:2 2"},
	{"wrong", "stroke:#cf222e,stroke-width:3px"},
}

// mermaid draws a flowchart.
func (p picture) mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	classes := map[string][]string{}
	for _, x := range p {
		fmt.Fprintf(&b, "  %s[\"%s\"]\n", x.Name, strings.Join(x.mermaidLabel(), "<br/>"))
		class := x.State
		if x.Skipped {
			class = "skipped"
		}
		classes[class] = append(classes[class], x.Name)
		if x.wrong() {
			classes["wrong"] = append(classes["wrong"], x.Name)
		}
	}
	for _, x := range p {
		if x.Parent >= 0 {
			b.WriteString("  " + p[x.Parent].Name + arrow + x.Name + "\n")
		}
	}
	for _, style := range mermaidStyles {
		if names := classes[style[0]]; len(names) > 0 {
			fmt.Fprintf(&b, "  classDef %s %s\n  class %s %s\n", style[0], style[1], strings.Join(names, ","), style[0])
		}
	}
	return b.String()
}

const arrow = " --> "

// mermaidLimits returns a remark if GitHub will not draw a flowchart.
func mermaidLimits(drawn string) []string {
	edges := strings.Count(drawn, arrow)
	if edges <= mermaidEdges && len(drawn) <= mermaidChars {
		return nil
	}
	return []string{fmt.Sprintf("%d edges in %d characters: GitHub's Mermaid draws at most %d in %d"+
		" (ckpt tree ID or --active is less, --format svg everything)", edges, len(drawn), mermaidEdges, mermaidChars)}
}

// mermaidLabel returns the lines of a box.
func (b *box) mermaidLabel() []string {
	lines := []string{checkpoint.Status(b.State).Symbol() + " " + mermaidText(b.Title), mermaidText(b.facts())}
	if b.About != "" {
		lines = append(lines, mermaidText(text.Shorten(b.About, 80)))
	}
	for _, problem := range b.Problems {
		lines = append(lines, "← "+mermaidText(problem))
	}
	return lines
}

// mermaidText escapes text for a label in quotes. Mermaid parses quotes, Markdown, HTML,
// styles, directives and its own entities there, so everything except letters, digits, blanks
// and harmless punctuation becomes an entity.
func mermaidText(text string) string {
	var b strings.Builder
	last := ' '
	for _, r := range text {
		if slices.Contains(mermaidPairs, string([]rune{last, r})) {
			b.WriteString(wordJoiner)
		}
		switch {
		case r > unicode.MaxASCII, r == ' ', r == ',', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9',
			r == '-' && (unicode.IsLetter(last) || unicode.IsDigit(last)):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
		last = r
	}
	return b.String()
}

// mermaidPairs have a meaning even as entities, because Mermaid decodes entities before it looks for a line break, a
// formula, an icon (fa:fa-car) and its own marks for entities. A zero-width character inside the pair prevents that.
// This was tried with Mermaid 11.17.
var mermaidPairs = []string{`\n`, "$$", ":f", "ﬂ°", "¶ß"}

const wordJoiner = "#8288;"
