package tui

import (
	tea "charm.land/bubbletea/v2"
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
		return m.board.move(by)
	case m.overList(at.X):
		moveIn(&m.all.list, by)
		if m.place == nextPlace {
			m.place = listPlace
		}
		return m.draw()
	case m.place == nextPlace:
		return m.next.move(by)
	default:
		m.reader.scroll(3 * by)
	}
	return nil
}

// click selects what is below the mouse, and gives it the focus.
func (m *model) click(at tea.Mouse) tea.Cmd {
	line := at.Y - 1 // below the heading
	typing := m.prompt != nil || m.place == helpPlace
	if at.Button != tea.MouseLeft || typing || line >= m.bodyHeight() {
		return nil
	}
	m.status = status{}
	switch {
	case m.place == boardPlace:
		m.board.click(line)
	case m.overList(at.X):
		m.place = listPlace
		clickIn(&m.all.list, line, m.all.lines)
		return m.draw()
	case m.place == nextPlace:
		clickIn(&m.next.list, line, actionLines)
	case m.all.chosen() != nil:
		m.place = textPlace
	}
	return nil
}
