package tui

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"example.com/ckpt/internal/term"
)

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.choose(m.at)
	case forestMsg:
		return m, m.take(msg)
	case wordsMsg:
		return m, m.learn(msg)
	case page:
		m.drawing = false
		m.page = msg
		if msg.key != m.wanted {
			return m, m.draw()
		}
		return m, nil
	case tea.KeyPressMsg:
		if m.typing {
			return m, m.typed(msg)
		}
		return m, m.key(msg.String())
	}
	return m, nil
}

// key performs the action of a key outside of the search.
func (m *model) key(key string) tea.Cmd {
	switch key {
	case "q", "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "/":
		m.typing, m.inside = true, false
		return m.index()
	case "d":
		m.details = !m.details
		return m.draw()
	case "t":
		m.tree = !m.tree
		return m.rearrange()
	case "r":
		if !m.reading {
			m.reading = true
			return m.read
		}
	case "enter", "l", "right":
		m.inside = m.chosen() != nil
	case "tab":
		m.inside = !m.inside && m.chosen() != nil
	case "h", "left":
		m.inside = false
	case "esc":
		if m.inside {
			m.inside = false
		} else if m.query != "" {
			m.query = ""
			return m.rearrange()
		}
	default:
		return m.move(key)
	}
	return nil
}

// move moves in the list, or in the page if the page has the focus. Space scrolls the page in
// either case.
func (m *model) move(key string) tea.Cmd {
	pageful := max(1, m.listHeight()-1)
	by := map[string]int{
		"j": 1, "down": 1, "k": -1, "up": -1, "ctrl+d": pageful / 2, "ctrl+u": -pageful / 2, "pgdown": pageful,
		"pgup":   -pageful,
		"ctrl+f": pageful, "ctrl+b": -pageful, "g": math.MinInt32, "home": math.MinInt32, "G": math.MaxInt32,
		"end": math.MaxInt32,
	}[key]
	switch {
	case key == "space":
		m.turn(pageful)
	case key == "b":
		m.turn(-pageful)
	case by == 0:
	case m.inside:
		m.turn(by)
	default:
		return m.choose(m.at + by)
	}
	return nil
}

// turn scrolls the page by lines.
func (m *model) turn(by int) {
	m.scroll = max(0, min(m.scroll+by, len(m.page.lines)-m.listHeight()))
}

// typed adds a key to the search.
func (m *model) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		return tea.Quit
	case "enter", "down", "up":
		m.typing = false
		return nil
	case "esc":
		m.typing, m.query = false, ""
	case "backspace":
		if runes := []rune(m.query); len(runes) > 0 {
			m.query = string(runes[:len(runes)-1])
		}
	case "ctrl+u":
		m.query = ""
	default:
		if msg.Text == "" {
			return nil
		}
		m.query += term.Plain(msg.Text)
	}
	return m.rearrange()
}

// rearrange computes the list again; the selected row remains selected if it is still shown.
func (m *model) rearrange() tea.Cmd {
	chosen := ""
	if r := m.chosen(); r != nil {
		chosen = r.path
	}
	return m.arrange(chosen)
}
