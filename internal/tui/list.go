package tui

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/list"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// listing is the list of checkpoints.
type listing struct {
	styles styles
	now    func() time.Time

	rows   []*row     // in the order of a tree; nil before the first reading
	latest []*row     // the same rows in the order of a list
	list   list.Model // the rows that match the query, in the order of tree or list
	lines  int        // how many lines a row has
	tree   bool
	query  query
}

// newList returns a list without heading, search and help, since the browser has its own.
func newList(d list.ItemDelegate) list.Model {
	l := list.New(nil, d, 0, 0)
	l.SetShowTitle(false)
	l.SetShowFilter(false)
	l.SetFilteringEnabled(false)
	l.SetShowStatusBar(false)
	l.SetShowPagination(false)
	l.SetShowHelp(false)
	l.KeyMap = listKeys()
	return l
}

// resize gives the list its size. If there is enough space, each row has two lines.
func (l *listing) resize(width, height int) {
	const forTwo = 10
	l.lines = 1
	if height >= forTwo {
		l.lines = rowLines
	}
	l.list.SetSize(width, height)
	l.list.SetDelegate(delegate{l})
}

// arrange fills the list again. It selects the row of the chosen checkpoint or, if the list no longer has that row,
// the row at the same position.
func (l *listing) arrange(chosen *row) {
	rows := l.latest
	if l.tree {
		rows = l.rows
	}
	if chosen == nil {
		chosen = &row{}
	}
	var items []list.Item
	at := -1
	for _, r := range rows {
		if slices.ContainsFunc(l.query.words, func(w string) bool { return !strings.Contains(r.words, w) }) {
			continue
		}
		if r.path == chosen.path || at < 0 && r.title == chosen.title {
			at = len(items)
		}
		items = append(items, r)
	}
	if at < 0 && chosen.title != "" {
		at = l.list.Index()
	}
	l.list.SetDelegate(delegate{l})
	_ = l.list.SetItems(items) // it returns a command only for the list's own search, which is off
	l.list.Select(max(0, min(at, len(items)-1)))
}

// chosen returns the selected row, or nil if the list is empty.
func (l *listing) chosen() *row {
	r, _ := l.list.SelectedItem().(*row)
	return r
}

// rowLines is the number of lines of a row if there is space for more than one.
const rowLines = 2

// delegate draws the rows of the list. The selected one has a mark.
type delegate struct{ *listing }

// Height, and the methods below, implement list.ItemDelegate.
func (d delegate) Height() int                       { return max(d.lines, 1) }
func (delegate) Spacing() int                        { return 0 }
func (delegate) Update(tea.Msg, *list.Model) tea.Cmd { return nil }

// Render draws an item.
func (d delegate) Render(w io.Writer, l list.Model, index int, item list.Item) {
	base, mark := lipgloss.NewStyle(), part{"  ", d.styles.mark}
	if index == l.Index() {
		base, mark.text = d.styles.selected, "▌ "
	}
	parts, right := d.drawRow(item, base)
	for i := range d.lines {
		if i > 0 {
			fmt.Fprintln(w)
		}
		row := line(l.Width(), base, append([]part{mark}, parts[i]...), part{right[i], d.styles.dim})
		fmt.Fprint(w, d.query.highlight(row, d.styles.hit))
	}
}

// drawRow returns the parts of the lines of a row: state, id and problem, then the next action. Right has the texts at
// the right edge of the lines: the age, then the number of deltas. Base is the style of the lines.
func (l *listing) drawRow(item list.Item, base lipgloss.Style) (parts [rowLines][]part, right [rowLines]string) {
	r, s := item.(*row), l.styles
	indent := ""
	if l.tree {
		indent = strings.Repeat("  ", min(r.depth, 8))
	}
	symbol, name, title := base, s.bold, r.title
	switch {
	case r.rank == current:
		symbol, name = s.good, s.good.Inherit(s.bold)
	case r.rank == unreadable:
		symbol = s.bad
	case r.rank == archived:
		symbol = s.dim
	}
	if len(r.problems()) > 0 {
		name, title = s.bad, title+" !"
	}
	problem, next, deltas := r.summarize()
	switch {
	case next == "":
	case r.rank == archived:
		next = "✓ " + next
	default:
		next = "→ " + next
	}
	if deltas > 0 {
		right[1] = text.Count(deltas, "delta")
	}
	right[0] = age(l.now(), r.changed)
	sign := checkpoint.Status(r.state()).Symbol()
	parts[0] = []part{{indent, base}, {sign, symbol}, {" " + title, name}, {"  " + problem, s.dim}}
	parts[1] = []part{{indent + "  ", base}, {next, base}}
	return parts, right
}

// ages are the units of an age.
var ages = []humanize.RelTimeMagnitude{
	{D: time.Minute, Format: "now", DivBy: 1},
	{D: time.Hour, Format: "%dm", DivBy: time.Minute},
	{D: humanize.Day, Format: "%dh", DivBy: time.Hour},
	{D: 2 * humanize.Week, Format: "%dd", DivBy: humanize.Day},
	{D: 2 * humanize.Month, Format: "%dw", DivBy: humanize.Week},
	{D: 2 * humanize.Year, Format: "%dmo", DivBy: humanize.Month},
	{D: humanize.LongTime, Format: "%dy", DivBy: humanize.Year},
}

// age returns how long ago a time was, such as "3d". It is empty if the time is unknown or in the future.
func age(now, then time.Time) string {
	if then.IsZero() || then.After(now) {
		return ""
	}
	return humanize.CustomRelTime(then, now, "", "", ages)
}

// count returns how many checkpoints the list has, for its heading.
func (l *listing) count() string {
	count := fmt.Sprint(len(l.rows))
	switch {
	case l.rows == nil:
		count = "reading …"
	case l.query.found != nil:
		count = fmt.Sprintf("%d of %d with %s", len(l.list.Items()), len(l.rows), oneLine(l.query.text))
	}
	if l.tree {
		count += ", as a tree"
	}
	if n := l.list.Paginator.TotalPages; n > 1 {
		count += fmt.Sprintf(", page %d/%d", l.list.Paginator.Page+1, n)
	}
	return count
}

// view returns the lines of the list, or what to do if it is empty.
func (l *listing) view() []string {
	say := ""
	switch {
	case l.rows == nil:
		return nil
	case len(l.rows) == 0:
		say = "No checkpoints yet.\n\nTo begin one: q to leave, then\n\n  ckpt new NAME"
	case len(l.list.Items()) == 0:
		say = "Nothing contains " + oneLine(l.query.text) + ".\n\nesc shows all."
	default:
		return strings.Split(l.list.View(), "\n")
	}
	return strings.Split(ansi.Wrap(say, max(l.list.Width(), 1), ""), "\n")
}
