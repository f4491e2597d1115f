package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// narrow is the width below which the list and the page are not shown side by side.
const narrow = 60

// View implements [tea.Model].
func (m *model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.WindowTitle = "ckpt browse"
	if m.prompt != nil {
		v.Cursor = m.prompt.input.Cursor()
		if v.Cursor != nil {
			v.Cursor.Y = max(m.height, 1) - 1
		}
	}
	return v
}

// screen returns the lines of the screen: a heading, the list beside the page, and the last line.
func (m *model) screen() string {
	rows := max(m.height, 1)
	lines := append(m.body(), make([]string, rows)...)[:rows]
	foot := m.foot()
	foot = foot[max(0, len(foot)-rows):]
	copy(lines[rows-len(foot):], foot)
	for i, line := range lines {
		lines[i] = fit(line, m.width)
	}
	return strings.Join(lines, "\n")
}

// body returns the lines of the screen above the foot.
func (m *model) body() []string {
	switch {
	case m.place == helpPlace:
		return append([]string{m.styles.heading(true, "Help", "esc back")}, strings.Split(m.help.View(), "\n")...)
	case m.oneColumn() && m.place == listPlace:
		return m.left()
	case m.oneColumn():
		return m.right()
	}
	list, page := m.left(), m.right()
	lines := make([]string, m.bodyHeight()+1)
	for i := range lines {
		lines[i] = fit(at(list, i), m.listWidth()) + m.styles.dim.Render(" │ ") + at(page, i)
	}
	return lines
}

// left returns the heading of the list and its lines.
func (m *model) left() []string {
	return append([]string{m.styles.heading(m.place == listPlace, "Checkpoints", m.all.count())}, m.all.view()...)
}

// right returns the heading of the page beside the list, and the lines of the page.
func (m *model) right() []string {
	r := m.all.chosen()
	if r == nil {
		return nil
	}
	heading := m.styles.heading(m.place == textPlace, oneLine(r.path), r.state()+m.reader.place())
	return append([]string{heading}, m.reader.view()...)
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// resize gives each part of the screen its size.
func (m *model) resize() {
	m.all.resize(m.listWidth(), m.bodyHeight())
	m.reader.text.SetWidth(m.pageWidth())
	m.reader.text.SetHeight(m.bodyHeight())
	m.reader.scroll(0) // limits the position to the new end
	m.help.SetWidth(m.width)
	m.help.SetHeight(m.bodyHeight())
	keys := m.keys[m.under].page(m.width, m.styles.help())
	m.help.SetContent(keys + "\n\n" + ansi.Wrap(helpEnd, max(m.width, 1), ""))
	if m.prompt != nil {
		m.prompt.resize(m.width)
	}
}

// layout computes the sizes of the parts of the screen.
type layout struct {
	width, height int
	warns         bool // a line is needed for a warning
}

// oneColumn reports whether the list or the page is shown, and not both.
func (l layout) oneColumn() bool { return l.width < narrow }

// warned reports whether there is space for a warning above the last line.
func (l layout) warned() bool {
	const enough = 10
	return l.warns && l.height >= enough
}

// bodyHeight returns the number of lines between the heading and the last lines.
func (l layout) bodyHeight() int {
	if l.warned() {
		return l.height - 3
	}
	return max(1, l.height-2)
}

// listWidth returns the width of the list, whether or not it is shown.
func (l layout) listWidth() int {
	if l.oneColumn() {
		return l.width
	}
	return max(28, min(l.width*2/5, 50))
}

// pageWidth returns the width of the page, whether or not it is shown.
func (l layout) pageWidth() int {
	if l.oneColumn() {
		return l.width
	}
	return l.width - l.listWidth() - 3
}

// status is what the last command answered.
type status struct {
	text string
	bad  bool
}

// foot returns the last lines of the screen: the answer of a command or an error, then the prompt.
// Without any of them it returns the running command, or else a warning and the keys.
func (m *model) foot() []string {
	const most = 3
	var lines []string
	say := func(text string, style interface{ Render(...string) string }) {
		wrapped := strings.Split(ansi.Wrap(text, max(m.width, 1), ""), "\n")
		for _, line := range wrapped[:min(len(wrapped), most)] {
			lines = append(lines, style.Render(line))
		}
	}
	switch {
	case m.status.bad:
		say(m.status.text, m.styles.bad)
	case m.status.text != "":
		say(m.status.text, m.styles.good)
	case m.trouble != "":
		say(m.trouble, m.styles.bad)
	}
	switch {
	case m.prompt != nil:
		lines = append(lines, m.prompt.input.View()) // without a cursor: View places the terminal's own
	case len(lines) > 0:
	case m.busy != "":
		lines = append(lines, m.styles.dim.Render(m.busy+" …"))
	default:
		if m.warned() {
			lines = append(lines, m.styles.warn.Render(oneLine(m.warnings[0])))
		}
		h := help.New()
		h.Styles, h.ShortSeparator = m.styles.help(), " · "
		h.SetWidth(m.width)
		lines = append(lines, h.View(m.keys[m.place]))
	}
	return slices.Clip(lines)
}
