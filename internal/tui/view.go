package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/term"
)

// narrow is the width below which either the list or the page is shown.
const narrow = 70

// View implements [tea.Model].
func (m *model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.WindowTitle = "ckpt browse"
	return v
}

// screen returns the lines of the screen: a heading, the list beside the page, and the keys.
func (m *model) screen() string {
	list, side := m.listWidth(), m.pageWidth()
	var b strings.Builder
	write := func(left, right string) {
		switch {
		case side == 0 || m.width < narrow && !m.inside:
			b.WriteString(fit(left, m.width))
		case list == 0:
			b.WriteString(fit(right, m.width))
		default:
			b.WriteString(fit(left, list) + m.style.Dim(" │ ") + fit(right, side))
		}
		b.WriteByte('\n')
	}
	write(m.heading(), m.pageHeading())
	for i := range m.listHeight() {
		write(m.listLine(m.top+i), m.pageLine(m.scroll+i))
	}
	b.WriteString(fit(m.foot(), m.width))
	return b.String()
}

func (m *model) listHeight() int { return max(1, m.height-2) }

// listWidth returns the width of the list, or 0 if the page takes the whole screen.
func (m *model) listWidth() int {
	switch {
	case m.width >= narrow:
		return max(28, min(m.width*2/5, 46))
	case m.inside:
		return 0
	}
	return m.width
}

// pageWidth returns the width of the page, whether or not it is shown.
func (m *model) pageWidth() int {
	if m.width >= narrow {
		return m.width - m.listWidth() - 3
	}
	return m.width
}

func (m *model) heading() string {
	count := fmt.Sprintf("%d", len(m.rows))
	if m.query != "" {
		count = fmt.Sprintf("%d of %d", len(m.shown), len(m.rows))
	}
	if m.reading {
		count = "reading …"
	}
	return m.style.Bold("Checkpoints") + " " + m.style.Dim(count)
}

func (m *model) pageHeading() string {
	r := m.chosen()
	if r == nil {
		return ""
	}
	what := r.state()
	if m.details {
		what += ", details"
	}
	if n := len(m.page.lines); m.page.key == m.wanted && n > m.listHeight() {
		what += fmt.Sprintf(", %d %%", min(100, (m.scroll+m.listHeight())*100/n))
	}
	return m.style.Bold(oneLine(r.path)) + " " + m.style.Dim(what)
}

// listLine returns one line of the list. The selected row has a mark, which is visible without
// colour.
func (m *model) listLine(i int) string {
	if len(m.shown) == 0 && i == 0 && !m.reading {
		if m.query != "" {
			return m.style.Dim("nothing holds " + term.Plain(m.query))
		}
		return m.style.Dim("no checkpoint (ckpt new NAME begins one)")
	}
	if i >= len(m.shown) {
		return ""
	}
	r := &m.rows[m.shown[i]]
	indent := ""
	if m.tree {
		indent = strings.Repeat("  ", min(r.depth, 8))
	}
	line := indent + m.symbol(r) + " "
	name := r.title
	if len(r.problems()) > 0 {
		name = m.style.Red(name + " !")
	}
	mark := "  "
	if i == m.at {
		mark, name = m.style.Bold("> "), m.style.Bold(name)
	}
	day := r.day()
	return fit(mark+line+name, m.listWidth()-len(day)-1) + " " + m.style.Dim(day)
}

func (m *model) symbol(r *row) string {
	switch r.rank {
	case current:
		return m.style.Green(r.symbol())
	case unreadable:
		return m.style.Red(r.symbol())
	case archived:
		return m.style.Dim(r.symbol())
	}
	return r.symbol()
}

func (m *model) pageLine(i int) string {
	switch {
	case m.chosen() == nil:
		return ""
	case m.page.key.path != m.wanted.path || m.page.key.details != m.wanted.details: // the page is being drawn
		if i == 0 {
			return m.style.Dim("…")
		}
		return ""
	case i < len(m.page.lines):
		return m.page.lines[i]
	}
	return ""
}

// foot returns the last line: the search while it is typed, an error, or the keys.
func (m *model) foot() string {
	switch {
	case m.typing:
		return "/" + term.Plain(m.query) + m.style.Dim("▏ enter keeps it, esc drops it")
	case m.trouble != "":
		return m.style.Red(m.trouble)
	case m.inside:
		return m.style.Dim("j k space b move · h back · d details · q quit")
	case len(m.warnings) > 0:
		return m.style.Yellow(oneLine(m.warnings[0]))
	case m.query != "":
		return m.style.Dim("/" + term.Plain(m.query) + " · esc shows all · j k move · enter read · q quit")
	}
	return m.style.Dim("j k move · enter read · space page · / search · t tree · d details · r read again · q quit")
}

// fit returns a line with exactly the given number of columns.
func fit(line string, width int) string {
	line = ansi.Truncate(line, width, "…")
	return line + strings.Repeat(" ", max(0, width-ansi.StringWidth(line)))
}
