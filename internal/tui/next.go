package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/list"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/checkpoint"
)

// next is the pane with the open next actions of the selected checkpoint.
type next struct {
	styles styles
	row    *row
	list   list.Model
}

// action is an entry of the list.
type action struct{ checkpoint.Action }

// FilterValue implements list.Item.
func (a action) FilterValue() string { return a.Text }

// openNext shows the next actions of the selected checkpoint.
func openNext(m *model) tea.Cmd {
	r := m.all.chosen()
	switch {
	case r == nil:
		return nil
	case r.node == nil || r.rank == archived:
		m.status = status{text: oneLine(r.title) + " is " + r.state() + " and has no next actions", bad: true}
		return nil
	}
	m.place = nextPlace
	m.next.take(r)
	m.next.list.Select(0)
	return nil
}

// follow updates the pane after the checkpoints were read, or closes it if its checkpoint was archived or deleted.
func (m *model) follow() {
	if m.place != nextPlace {
		return
	}
	r := m.all.chosen()
	active := r != nil && r.node != nil && r.rank != archived
	if !active || r.title != m.next.row.title {
		m.place = listPlace
		m.status = status{text: oneLine(m.next.row.title) + " is no longer active", bad: true}
		return
	}
	m.next.take(r)
}

// take shows the open actions of a row. The selected one stays selected if it is still open.
func (n *next) take(r *row) {
	at := n.list.Index()
	chosen, _ := n.list.SelectedItem().(action)
	n.row = r
	var items []list.Item
	for _, a := range r.node.Checkpoint.OpenActions() {
		if a.Text == chosen.Text {
			at = len(items)
		}
		items = append(items, action{a})
	}
	setItems(&n.list, items, at)
}

// done marks the selected action as done.
func done(m *model) tea.Cmd {
	a, ok := m.next.list.SelectedItem().(action)
	if !ok {
		return nil
	}
	return m.perform("done", "done", "-c", m.next.row.id(), "--", a.Text)
}

// addNext asks for a next action to append.
func addNext(m *model) tea.Cmd {
	id := m.next.row.id()
	m.open(&prompt{label: "Next action: ", accept: func(m *model, text string) tea.Cmd {
		return m.perform("next", "next", "-c", id, "--add", "--", text)
	}}, "")
	return nil
}

// copyNext copies the text of the selected action.
func copyNext(m *model) tea.Cmd {
	a, ok := m.next.list.SelectedItem().(action)
	if !ok {
		return nil
	}
	return m.copy(copyMsg{"the next action", a.Text})
}

// view returns the heading of the pane and its lines.
func (n *next) view() []string {
	count := len(n.list.Items())
	lines := []string{n.styles.heading(true, "Next actions", fmt.Sprintf("%d of %s", count, oneLine(n.row.title)))}
	if count == 0 {
		return append(lines, "", "No next actions.", "", "n adds one, esc goes back.")
	}
	return append(lines, strings.Split(n.list.View(), "\n")...)
}

// drawAction returns the drawer of the actions, whose text is wrapped to two lines.
func drawAction(s styles) drawer {
	return func(item list.Item, base lipgloss.Style, width int) (parts rowParts, right [rowLines]string) {
		a := item.(action)
		number := fmt.Sprintf("%d. ", a.Number)
		first, rest, _ := strings.Cut(ansi.Wrap(oneLine(a.Text), max(width-2-len(number), 1), ""), "\n")
		parts[0] = []part{{number, s.dim}, {first, base}}
		parts[1] = []part{{strings.Repeat(" ", len(number)) + strings.ReplaceAll(rest, "\n", " "), base}}
		return parts, right
	}
}
