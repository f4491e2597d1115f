package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// overList reports whether a column of the screen belongs to the list.
func (m *model) overList(x int) bool {
	if m.oneColumn() {
		return m.place == listPlace
	}
	return x < m.listWidth()+1
}

// wheel scrolls what is below the mouse.
func (m *model) wheel(at tea.Mouse) tea.Cmd {
	by := map[tea.MouseButton]int{tea.MouseWheelDown: 1, tea.MouseWheelUp: -1}[at.Button]
	switch {
	case by == 0 || m.prompt != nil:
	case m.place == helpPlace:
		m.help.SetYOffset(m.help.YOffset() + 3*by)
	case m.place == boardPlace:
		moveIn(&m.board.list, by)
	case m.overList(at.X):
		moveIn(&m.all.list, by)
		if m.place == nextPlace {
			m.place = listPlace
		}
		return m.draw()
	case m.place == nextPlace:
		moveIn(&m.next.list, by)
	default:
		m.reader.scroll(3 * by)
	}
	return nil
}

// click selects what is below the mouse, and gives it the focus.
func (m *model) click(at tea.Mouse) tea.Cmd {
	line := at.Y - 1 // below the heading
	switch {
	case at.Button != tea.MouseLeft || m.prompt != nil:
		return nil
	case at.Y == m.height-1:
		return m.clickKey(at.X)
	case m.place == helpPlace || line >= m.bodyHeight():
		return nil
	}
	m.status = status{}
	switch {
	case m.place == boardPlace:
		clickIn(&m.board.list, line, rowLines)
	case m.overList(at.X):
		m.place = listPlace
		clickIn(&m.all.list, line, m.all.lines)
		return m.draw()
	case m.place == nextPlace:
		clickIn(&m.next.list, line, rowLines)
	case m.all.chosen() != nil:
		m.place = textPlace
	}
	return nil
}

// clickKey performs the command whose key the last line shows at a column.
func (m *model) clickKey(x int) tea.Cmd {
	if m.place == helpPlace {
		m.place = m.under
		return nil
	}
	foot := m.foot()
	shown := ansi.Strip(foot[len(foot)-1])
	for _, c := range m.keys[m.place].inShort() {
		text := c.Help().Key + " " + c.Help().Desc
		before, _, found := strings.Cut(shown, text)
		begin := ansi.StringWidth(before)
		if found && x >= begin && x < begin+ansi.StringWidth(text) {
			return c.do(m)
		}
	}
	return nil
}
