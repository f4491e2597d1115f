package tui

import (
	"image/color"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/view"
)

// styles has the styles of the parts of the screen. Without colours only the selected row and the hits
// differ from other text: they are in reverse video or underlined.
type styles struct {
	bold, dim, bad, warn, good lipgloss.Style
	mark                       lipgloss.Style // the mark of the selected row
	selected                   lipgloss.Style // the line of the selected row
	hit, thisHit               lipgloss.Style // the hits of the search, and the selected hit
}

func newStyles(style view.Style) styles {
	plain := lipgloss.NewStyle()
	if style == view.Plain {
		return styles{
			bold: plain, dim: plain, bad: plain, warn: plain, good: plain, mark: plain,
			selected: plain.Reverse(true), hit: plain.Underline(true), thisHit: plain.Reverse(true),
		}
	}
	pick := lipgloss.LightDark(style == view.Dark)
	color := func(light, dark string) color.Color { return pick(lipgloss.Color(light), lipgloss.Color(dark)) }
	return styles{
		bold: plain.Bold(true), dim: plain.Faint(true),
		bad: plain.Foreground(lipgloss.Red), warn: plain.Foreground(lipgloss.Yellow),
		good: plain.Foreground(lipgloss.Green), mark: plain.Foreground(lipgloss.Cyan),
		selected: plain.Background(color("254", "237")),
		hit:      plain.Foreground(lipgloss.Black).Background(lipgloss.Yellow),
		thisHit:  plain.Foreground(lipgloss.Black).Background(lipgloss.Cyan).Bold(true),
	}
}

// help returns the styles of the help.
func (s styles) help() help.Styles {
	return help.Styles{
		ShortKey: s.bold, ShortDesc: s.dim, ShortSeparator: s.dim, Ellipsis: s.dim,
		FullKey: s.bold, FullDesc: lipgloss.NewStyle(), FullSeparator: s.dim,
	}
}

// heading returns a line above a part of the screen. The part with the focus has a mark.
func (s styles) heading(focus bool, title, rest string) string {
	mark := "  "
	if focus {
		mark = s.mark.Render("▸ ")
	}
	return mark + s.bold.Render(title) + " " + s.dim.Render(rest)
}

// part is a piece of a line.
type part struct {
	text  string
	style lipgloss.Style
}

// line returns a line of exactly width columns: the parts, shortened to fit, and right at the right edge. It omits
// right if that would leave too little space.
func line(width int, base lipgloss.Style, parts []part, right part) string {
	const enough = 14
	room := max(width-ansi.StringWidth(right.text)-1, 0)
	if right.text == "" || room < enough {
		room, right = width, part{}
	}
	used := 0
	var b strings.Builder
	for _, p := range parts {
		text := ansi.Truncate(p.text, room-used, "…")
		used += ansi.StringWidth(text)
		b.WriteString(p.style.Inherit(base).Render(text))
	}
	gap := width - used - ansi.StringWidth(right.text)
	b.WriteString(base.Render(strings.Repeat(" ", max(gap, 0))) + right.style.Inherit(base).Render(right.text))
	return b.String()
}

// fit returns a line with exactly the given number of columns.
func fit(line string, width int) string {
	line = ansi.Truncate(line, width, "…")
	return line + strings.Repeat(" ", max(0, width-ansi.StringWidth(line)))
}

// alone returns the lines of a text. Each line begins with the colours that are on at its start, and resets them at
// its end, so that it can be drawn alone.
func alone(text string) []string {
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\t", "    ")
	return strings.Split(lipgloss.Wrap(text, 0, ""), "\n")
}
