package tui

import (
	"fmt"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// pageKey determines what a page shows.
type pageKey struct {
	path    string
	width   int
	details bool
}

// page is a drawn checkpoint. Each line begins with its colours and resets them at its end.
type page struct {
	key   pageKey
	lines []string
}

// drawPage returns the command that draws the page of a row. If that fails, the page has the
// reason and the text.
func (m *model) drawPage(key pageKey, r row) tea.Cmd {
	ctx, look, style, details := m.ctx, m.look, m.style, m.source.details
	look.Width = max(key.width, view.MinWidth)
	return func() tea.Msg {
		var head strings.Builder
		for _, p := range r.problems() {
			head.WriteString(style.Red(p) + "\n")
		}
		if r.node == nil {
			fmt.Fprintf(&head, "\nckpt validate %s\nckpt show --raw %[1]s", oneLine(r.path))
			return page{key, strings.Split(head.String(), "\n")}
		}
		markdown := string(r.node.Checkpoint.Doc.Bytes())
		if key.details {
			text, err := details(ctx, r.path)
			if err != nil {
				return page{key, []string{style.Red(oneLine(err.Error()))}}
			}
			return page{key, plainPage(text, key.width, style)}
		}
		drawn, err := view.RenderSoon(ctx, markdown, look)
		if err != nil {
			head.WriteString(style.Red(oneLine(err.Error())) + "\n")
			drawn = term.Plain(markdown)
		}
		if head.Len() > 0 {
			head.WriteString("\n")
		}
		return page{key, alone(head.String() + drawn)}
	}
}

// plainPage returns a text as it is, with bold headings.
func plainPage(text string, width int, style term.Style) []string {
	lines := strings.Split(ansi.Wrap(strings.TrimRight(term.Plain(text), "\n"), width, ""), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "#") {
			lines[i] = style.Bold(line)
		}
	}
	return lines
}

var (
	colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)
	ends   = regexp.MustCompile(`\x1b\[0?m`)
)

// alone returns the lines of a text. Each line begins with the colours that are on at its
// start, and ends with none.
func alone(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	on := ""
	for i, line := range lines {
		codes := on + strings.Join(colour.FindAllString(line, -1), "")
		lines[i] = on + strings.ReplaceAll(line, "\t", "    ")
		if at := ends.FindAllStringIndex(codes, -1); at != nil {
			codes = codes[at[len(at)-1][1]:]
		}
		on = codes
		if on != "" {
			lines[i] += "\x1b[m"
		}
	}
	return lines
}
