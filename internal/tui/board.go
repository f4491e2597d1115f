package tui

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/list"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// board shows all worktrees of the repository and what each of them is on.
type board struct {
	list list.Model
	read bool // the worktrees were read
	err  error
}

// worktree is an entry of the board.
type worktree struct{ result.WorktreeStatus }

// FilterValue implements list.Item.
func (w worktree) FilterValue() string { return w.Folder }

func openBoard(m *model) tea.Cmd {
	m.place = boardPlace
	return m.readBoard()
}

// worktreesMsg has the worktrees that were read.
type worktreesMsg struct {
	all []result.WorktreeStatus
	err error
}

func (m *model) readBoard() tea.Cmd {
	return func() tea.Msg {
		all, err := m.source.Worktrees(m.ctx)
		return worktreesMsg{all, err}
	}
}

// take shows the worktrees that were read. The selected one stays selected.
func (b *board) take(msg worktreesMsg) {
	b.err = msg.err
	if msg.err != nil {
		return
	}
	var all []worktree
	for _, w := range msg.all {
		all = append(all, worktree{w})
	}
	fill(&b.list, all, func(a, b worktree) bool { return a.Root == b.Root })
	b.read = true
}

// chosen returns the selected worktree, which is empty if there is none.
func (b *board) chosen() worktree {
	w, _ := b.list.SelectedItem().(worktree)
	return w
}

// drawWorktree draws a worktree: its folder and branch with its last delta, and in the second line the
// current checkpoint, its next action and the number of edited files.
func (m *model) drawWorktree(item list.Item, base lipgloss.Style, _ int) (parts rowParts, right [rowLines]string) {
	w, s := item.(worktree), m.styles
	on, style := cmp.Or(oneLine(w.Current), "no current checkpoint"), s.good
	if w.Unreadable != "" {
		on, style = "unreadable: "+oneLine(w.Unreadable), s.bad
	}
	next := ""
	if w.Next != "" {
		next = "  → " + oneLine(w.Next)
	}
	if w.Edits > 0 {
		right[1] = text.Count(w.Edits, "edit")
	}
	right[0] = age(m.source.Now(), w.LastDelta.Time)
	parts[0] = []part{{oneLine(w.Folder), s.bold}, {"  " + oneLine(cmp.Or(w.Branch, "(detached)")), s.dim}}
	parts[1] = []part{{"  ", base}, {on, style}, {next, base}}
	return parts, right
}

// view returns the heading of the board and its lines.
func (b *board) view(s styles) []string {
	count := "reading …"
	if b.read {
		count = fmt.Sprint(len(b.list.Items()))
	}
	lines := []string{s.heading(true, "Worktrees", count)}
	switch {
	case b.err != nil:
		return append(lines, s.bad.Render(oneLine(b.err.Error())))
	case !b.read:
		return lines
	}
	return append(lines, strings.Split(b.list.View(), "\n")...)
}

// leaveBoard goes to the checkpoint of the selected worktree in the list.
func leaveBoard(m *model) tea.Cmd {
	w := m.board.chosen()
	if w.Current == "" {
		return nil
	}
	for _, r := range m.all.rows {
		if r.node == nil || r.node.Checkpoint.ID != w.Current {
			continue
		}
		m.place = listPlace
		m.all.query = query{}
		m.all.arrange(r)
		return m.draw()
	}
	m.status = status{bad: true,
		text: fmt.Sprintf("%s is not on this branch (ckpt -C %s browse)", oneLine(w.Current), oneLine(w.Folder))}
	return nil
}

// copyFolder copies the folder of the selected worktree.
func copyFolder(m *model) tea.Cmd {
	w := m.board.chosen()
	if w.Root == "" {
		return nil
	}
	return m.copy(copyMsg{oneLine(w.Root), w.Root})
}
