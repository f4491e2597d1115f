package view

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/glamour/styles"
	"github.com/muesli/termenv"
)

// config returns glamour's style with changes.
//
// Text has the terminal's own colour, which the user has chosen; glamour would also colour all
// padding. Headings have no # marks: their colour and weight tell them from text, and the first two
// levels are underlined. Without colours all headings begin with a square. Code has a named theme, because
// glamour registers its own colours once per process: a second style would get the colours of the first.
// Inline code has no padding, which could be wrapped to lines of its own.
func config(style Style) ansi.StyleConfig {
	c := styles.NoTTYStyleConfig
	switch style {
	case Dark:
		c = styles.DarkStyleConfig
		c.CodeBlock.Theme = "github-dark"
	case Light:
		c = styles.LightStyleConfig
		c.CodeBlock.Theme = "github"
	}
	for i, heading := range []*ansi.StyleBlock{&c.H1, &c.H2, &c.H3, &c.H4, &c.H5, &c.H6} {
		*heading = ansi.StyleBlock{}
		if style == Plain {
			heading.Prefix = "▪ "
		} else if i < 2 {
			heading.Underline = new(true)
		}
	}
	if style == Plain {
		c.Code.Prefix, c.Code.Suffix = "`", "`"
		return c
	}
	c.Document.Color = nil
	c.CodeBlock.Chroma = nil
	c.Code.Prefix, c.Code.Suffix = "", ""
	return c
}

// formatter returns the name of the highlighter's output format for these colours.
func formatter(colors termenv.Profile) string {
	switch colors {
	case termenv.TrueColor:
		return "terminal16m"
	case termenv.ANSI256:
		return "terminal256"
	}
	return "terminal16"
}

// tidy removes the spaces with which glamour pads every line, each in a colour of its own. They
// would be wrapped when the window shrinks, and copied with the text. It also removes the blank
// lines around the page.
func tidy(page string) string {
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		lines[i] = trimLine(line)
	}
	for len(lines) > 0 && noText(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && noText(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return ""
	}
	page = strings.Join(lines, "\n")
	if last := color.FindAllString(page, -1); last != nil && last[len(last)-1] != reset {
		page += reset
	}
	return page + "\n"
}

const reset = "\x1b[0m"

var (
	tail  = regexp.MustCompile(`(?:\x1b\[[0-9;:]*m| )+$`)
	color = regexp.MustCompile(`\x1b\[[0-9;:]*m`)
)

// trimLine removes the spaces at the end of a line, but not the colours that apply to the next
// line.
func trimLine(line string) string {
	begin := tail.FindStringIndex(line)
	if begin == nil {
		return line
	}
	last := ""
	for _, code := range color.FindAllString(line[begin[0]:], -1) {
		switch code {
		case reset, "\x1b[m":
			last = reset
		default:
			last += code
		}
	}
	return line[:begin[0]] + last
}

func noText(line string) bool { return color.ReplaceAllString(line, "") == "" }
