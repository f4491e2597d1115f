package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/term"
)

// prompt is a line that the user types, at the bottom of the screen.
type prompt struct {
	label  string
	input  textinput.Model
	accept func(m *model, text string) tea.Cmd // called for enter
	typed  func(m *model, text string) tea.Cmd // called after each change of the text; may be nil
	cancel func(m *model) tea.Cmd              // called for esc; may be nil
	yes    func(m *model) tea.Cmd              // makes the prompt a question: called for y; other keys close it
}

// open opens a prompt with text as its first value.
func (m *model) open(p *prompt, text string) {
	plain := textinput.StyleState{Text: lipgloss.NewStyle(), Prompt: m.styles.bold}
	p.input = textinput.New()
	p.input.SetStyles(textinput.Styles{Focused: plain, Blurred: plain})
	p.input.SetVirtualCursor(false) // the terminal's own cursor blinks without redrawing
	p.input.SetValue(text)
	_ = p.input.Focus() // its command would only blink a drawn cursor
	p.resize(m.width)
	m.prompt = p
}

// resize fits the line into the width of the screen.
func (p *prompt) resize(width int) {
	p.input.Prompt = ansi.Truncate(p.label, max(width/2, 1), "… ")
	p.input.SetWidth(max(width-ansi.StringWidth(p.input.Prompt)-1, 1))
	p.input.SetCursor(p.input.Position())
}

// press acts on a key while the prompt is open.
func (p *prompt) press(m *model, msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	switch {
	case key == "ctrl+c":
		return m.quit()
	case p.yes != nil:
		m.prompt = nil
		if strings.EqualFold(key, "y") {
			return p.yes(m)
		}
		return nil
	case key == "enter":
		return p.end(m)
	case p.typed != nil && (key == "up" || key == "down"): // these keys end a search and move in the list
		return tea.Batch(p.end(m), m.press(msg))
	case key == "esc":
		m.prompt = nil
		if p.cancel != nil {
			return p.cancel(m)
		}
		return nil
	}
	msg.Text = term.Plain(msg.Text)
	return p.update(m, msg)
}

// update passes a key or a text on to the line.
func (p *prompt) update(m *model, msg tea.Msg) tea.Cmd {
	before := p.input.Value()
	p.input, _ = p.input.Update(msg)
	if p.typed == nil || p.input.Value() == before {
		return nil
	}
	return p.typed(m, p.input.Value())
}

// end closes the prompt and accepts its text, unless a command is running.
func (p *prompt) end(m *model) tea.Cmd {
	if m.busy != "" && p.typed == nil {
		return m.start("", nil) // shows which command is running; the prompt stays open
	}
	m.prompt = nil
	m.retry = p
	cmd := p.accept(m, p.input.Value())
	if m.busy == "" {
		m.retry = nil
	}
	return cmd
}
