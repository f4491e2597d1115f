package tui

import (
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// perform runs a command of ckpt, unless another one is running. If the command fails, the prompt that began it opens
// again with the typed text.
func (m *model) perform(name string, args ...string) tea.Cmd {
	return m.start(name, func() (string, error) {
		answer, remarks, err := m.source.Command(m.ctx, 0, args...)
		remark := oneLine(text.FirstLine(remarks))
		answer = oneLine(text.FirstLine(answer))
		if remark != "" {
			answer += " · " + remark
		}
		return answer, err
	})
}

// doneMsg tells that a command has ended.
type doneMsg struct {
	answer string
	err    error
}

// start runs a function in the background, unless another command is running. The name is for messages.
func (m *model) start(name string, run func() (string, error)) tea.Cmd {
	if m.busy != "" {
		m.status = status{text: "wait: " + m.busy + " is still running", bad: true}
		return nil
	}
	m.busy = name
	return func() tea.Msg {
		answer, err := run()
		return doneMsg{answer, err}
	}
}

// finish shows the answer of a command and reloads the checkpoints.
func (m *model) finish(msg doneMsg) tea.Cmd {
	m.busy = ""
	m.status = status{text: msg.answer}
	if msg.err != nil {
		m.status = status{text: oneLine(msg.err.Error()), bad: true}
		if hint := fault.HintOf(msg.err); hint != "" {
			m.status.text += "\nhint: " + oneLine(hint)
		}
		if m.prompt == nil && m.retry != nil {
			m.prompt = m.retry
		}
	}
	m.retry = nil
	if m.leaving && msg.err == nil {
		return tea.Quit
	}
	m.leaving = false
	return m.reload()
}

// onChosen calls do with the id of the selected checkpoint.
func (m *model) onChosen(do func(id string) tea.Cmd) tea.Cmd {
	if r := m.all.chosen(); r != nil {
		return do(r.id())
	}
	return nil
}

// use makes the selected checkpoint the current one.
func use(m *model) tea.Cmd {
	return m.onChosen(func(id string) tea.Cmd { return m.perform("use", "use", id) })
}

// archive asks for the outcome, and archives the selected checkpoint.
func archive(m *model) tea.Cmd {
	return m.onChosen(func(id string) tea.Cmd {
		m.open(&prompt{label: "Outcome of " + oneLine(id) + ": ", accept: func(m *model, outcome string) tea.Cmd {
			return m.perform("archive", "archive", id, "--outcome="+outcome)
		}}, "")
		return nil
	})
}

// undo asks for confirmation, then undoes the last operation.
func undo(m *model) tea.Cmd {
	m.open(&prompt{label: "Undo the last change (y/n)? ", yes: func(m *model) tea.Cmd {
		return m.perform("undo", "undo")
	}}, "")
	return nil
}

// edit opens the selected checkpoint in the user's editor.
func edit(m *model) tea.Cmd {
	return m.onChosen(func(id string) tea.Cmd {
		if m.busy != "" {
			return m.start("edit", nil)
		}
		m.busy = "edit"
		e := &editing{run: func() (string, error) { return m.source.Edit(m.ctx, id) }}
		return tea.Exec(e, func(err error) tea.Msg {
			return doneMsg{oneLine(text.FirstLine(e.answer)), err}
		})
	})
}

// editing runs the editor in the terminal. It implements [tea.ExecCommand], but ignores the streams that it gets,
// since the editor has those of the program already.
type editing struct {
	run    func() (string, error)
	answer string
}

// Run implements tea.ExecCommand.
func (e *editing) Run() (err error) {
	e.answer, err = e.run()
	return err
}

// SetStdin, and the methods below, implement tea.ExecCommand.
func (*editing) SetStdin(io.Reader)  {}
func (*editing) SetStdout(io.Writer) {}
func (*editing) SetStderr(io.Writer) {}

// copyMsg has a text for the clipboard, and a name of that text for the user.
type copyMsg struct{ what, text string }

// copiedMsg tells what was copied.
type copiedMsg string

func copyID(m *model) tea.Cmd {
	return m.onChosen(func(id string) tea.Cmd { return m.copy(copyMsg{oneLine(id), id}) })
}

// copyBrief copies what `ckpt resume` prints of the selected checkpoint.
func copyBrief(m *model) tea.Cmd {
	return m.onChosen(func(id string) tea.Cmd {
		return func() tea.Msg {
			brief, _, err := m.source.Command(m.ctx, 0, "resume", id)
			if err != nil {
				return doneMsg{err: err}
			}
			return copyMsg{fmt.Sprintf("the brief of %s (%d bytes)", oneLine(id), len(brief)), brief}
		}
	})
}

// copy copies a text: by a program for the clipboard if there is one, and by the terminal, which
// also works over a remote connection.
func (m *model) copy(msg copyMsg) tea.Cmd {
	return tea.Batch(tea.SetClipboard(msg.text), func() tea.Msg {
		if clipboard.WriteAll(msg.text) != nil {
			return copiedMsg("copied " + msg.what + ", if this terminal allows it (OSC 52)")
		}
		return copiedMsg("copied " + msg.what)
	})
}
