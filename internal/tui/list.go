package tui

import (
	"fmt"
	"io"
	"strings"
	"time"

	"charm.land/bubbles/v2/list"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"example.com/ckpt/internal/text"
)

// listing is the list of checkpoints.
type listing struct {
	styles styles
	now    func() time.Time

	rows   []*row     // in the order of a tree; nil before the first reading
	latest []*row     // in the order of a list
	list   list.Model // the rows that match the query, in the order of tree or list
	lines  int        // of a row on the screen
	tree   bool
	query  query
}

// newList returns a list that only lists: the browser has its own heading, search and help.
func newList(d list.ItemDelegate) list.Model {
	l := list.New(nil, d, 0, 0)
	l.SetShowTitle(false)
	l.SetShowFilter(false)
	l.SetFilteringEnabled(false)
	l.SetShowStatusBar(false)
	l.SetShowPagination(false)
	l.SetShowHelp(false)
	return l
}

// resize gives the list its size. Where there is room each row has two lines.
func (l *listing) resize(width, height int) {
	const forTwo = 10
	l.lines = 1
	if height >= forTwo {
		l.lines = 2
	}
	l.list.SetSize(width, height)
	l.list.SetDelegate(delegate{l, l.lines})
}

// arrange computes the list again. It selects the same checkpoint if it still exists, else the
// one that is now in its place.
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
		if !r.holds(l.query.words) {
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
	_ = l.list.SetItems(items) // without its own search the list has nothing to run
	l.list.Select(max(0, min(at, len(items)-1)))
}

// chosen returns the selected row, or nil if the list is empty.
func (l *listing) chosen() *row {
	r, _ := l.list.SelectedItem().(*row)
	return r
}

// moveIn moves the selection of a list.
func moveIn(l *list.Model, by int) {
	l.Select(max(0, min(l.Index()+by, len(l.Items())-1)))
}

// clickIn selects the item on a line of a list whose items have so many lines each.
func clickIn(l *list.Model, line, lines int) {
	page := l.Paginator
	if i := page.Page*page.PerPage + line/lines; line >= 0 && i < len(l.Items()) {
		l.Select(i)
	}
}

// delegate draws the rows of the list: the state, id and problem of a checkpoint with its age, and
// in a second line the next action and the number of deltas.
type delegate struct {
	l     *listing
	lines int
}

// Height implements list.ItemDelegate.
func (d delegate) Height() int { return d.lines }

// Spacing implements list.ItemDelegate.
func (delegate) Spacing() int { return 0 }

// Update implements list.ItemDelegate.
func (delegate) Update(tea.Msg, *list.Model) tea.Cmd { return nil }

// Render implements list.ItemDelegate.
func (d delegate) Render(w io.Writer, l list.Model, index int, item list.Item) {
	r, s := item.(*row), d.l.styles
	base, mark := lipgloss.NewStyle(), part{"  ", s.mark}
	if index == l.Index() {
		base, mark.text = s.selected, "▌ "
	}
	indent := ""
	if d.l.tree {
		indent = strings.Repeat("  ", min(r.depth, 8))
	}
	name := s.bold
	title := r.title
	if len(r.problems()) > 0 {
		name, title = s.bad, title+" !"
	}
	about := r.summarize()
	write := func(parts []part, right string) {
		fmt.Fprint(w, d.l.query.highlight(line(l.Width(), base, parts, part{right, s.dim}), s.hit))
	}
	write([]part{mark, {indent, base}, {r.symbol(), d.symbol(r)}, {" " + title, name}, {"  " + about.problem, s.dim}},
		age(d.l.now(), r.changed))
	if d.lines == 1 {
		return
	}
	next := about.next
	switch {
	case next == "":
	case r.rank == archived:
		next = "✓ " + next
	default:
		next = "→ " + next
	}
	deltas := ""
	if about.deltas > 0 {
		deltas = text.Count(about.deltas, "delta")
	}
	fmt.Fprintln(w)
	write([]part{mark, {indent + "  ", base}, {next, base}}, deltas)
}

func (d delegate) symbol(r *row) lipgloss.Style {
	switch r.rank {
	case current:
		return d.l.styles.good
	case unreadable:
		return d.l.styles.bad
	case archived:
		return d.l.styles.dim
	}
	return lipgloss.NewStyle()
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

// age returns how long ago a time was, such as "3d". It is empty if the time is not known.
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

// view returns the lines of the list. An empty one tells what to do.
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
