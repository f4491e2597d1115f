package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/table"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/result"
)

// board shows all worktrees of the repository and what each of them is on.
type board struct {
	table table.Model
	all   []result.WorktreeStatus // nil before the first reading
	err   error
}

func newBoard(s styles) board {
	return board{table: table.New(table.WithFocused(true), table.WithStyles(s.table()))}
}

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
func (b *board) take(msg worktreesMsg, now time.Time) {
	b.err = msg.err
	if msg.err != nil {
		return
	}
	chosen := b.chosen()
	b.all = msg.all
	var rows []table.Row
	for i := range b.all {
		w := &b.all[i]
		on := cmp.Or(w.Current, "none")
		if w.Unreadable != "" {
			on = "unreadable: " + w.Unreadable
		}
		edits := ""
		if w.Edits > 0 {
			edits = strconv.Itoa(w.Edits)
		}
		row := make(table.Row, columns)
		row[folderColumn], row[branchColumn] = oneLine(w.Folder), oneLine(cmp.Or(w.Branch, "(detached)"))
		row[currentColumn], row[nextColumn] = oneLine(on), oneLine(w.Next)
		row[deltaColumn], row[editsColumn] = age(now, w.LastDelta.Time), edits
		rows = append(rows, row)
	}
	b.table.SetRows(rows)
	at := slices.IndexFunc(b.all, func(w result.WorktreeStatus) bool { return chosen != nil && w.Root == chosen.Root })
	b.table.SetCursor(max(0, at))
}

// chosen returns the selected worktree, or nil.
func (b *board) chosen() *result.WorktreeStatus {
	if i := b.table.Cursor(); i >= 0 && i < len(b.all) {
		return &b.all[i]
	}
	return nil
}

func (b *board) move(by int) tea.Cmd {
	b.table.SetCursor(max(0, min(b.table.Cursor()+by, len(b.all)-1)))
	return nil
}

// click selects the worktree on a line of the board, whose first one has the titles.
func (b *board) click(line int) {
	first := max(0, b.table.Cursor()-b.table.Height()+1)
	if i := first + line - 1; line > 0 && i < len(b.all) {
		b.table.SetCursor(i)
	}
}

// The columns of the board.
const (
	folderColumn = iota
	branchColumn
	currentColumn
	deltaColumn
	editsColumn
	nextColumn
	columns // their number
)

// resize divides the width between the columns. Narrow screens have no column for the next action.
func (b *board) resize(width, height int) {
	const least = 12 // of the next action
	titles := [columns]string{"Worktree", "Branch", "Current", "Last delta", "Edits", "Next action"}
	columns := make([]table.Column, columns)
	room := width - len(titles)
	for i, title := range titles {
		widest := len(title)
		for _, r := range b.table.Rows() {
			widest = max(widest, ansi.StringWidth(r[i]))
		}
		columns[i] = table.Column{Title: title, Width: widest}
		room -= widest
	}
	if width < narrow {
		room += columns[deltaColumn].Width - len("Delta")
		columns[deltaColumn] = table.Column{Title: "Delta", Width: len("Delta")}
	}
	next := &columns[nextColumn]
	room += next.Width
	next.Width = min(next.Width, room)
	if next.Width < least {
		next.Width = 0
	}
	for ; room < 0; room++ { // shorten the widest
		widest := slices.MaxFunc([]int{folderColumn, branchColumn, currentColumn}, func(i, j int) int {
			return columns[i].Width - columns[j].Width
		})
		columns[widest].Width = max(columns[widest].Width-1, 1)
	}
	b.table.SetColumns(columns)
	b.table.SetWidth(max(width, 1))
	b.table.SetHeight(max(height, 2))
}

// view returns the heading of the board and its lines.
func (b *board) view(s styles) []string {
	count := "reading …"
	if b.all != nil {
		count = fmt.Sprint(len(b.all))
	}
	lines := []string{s.heading(true, "Worktrees", count)}
	switch {
	case b.err != nil:
		return append(lines, s.bad.Render(oneLine(b.err.Error())))
	case b.all == nil:
		return lines
	}
	return append(lines, strings.Split(b.table.View(), "\n")...)
}

// leaveBoard goes to the checkpoint of the selected worktree in the list.
func leaveBoard(m *model) tea.Cmd {
	w := m.board.chosen()
	if w == nil || w.Current == "" {
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
	if w == nil {
		return nil
	}
	return m.copy(copyMsg{oneLine(w.Root), w.Root})
}
