package tui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/list"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// command has keys and the function that they call. If do is nil, the part of the screen with the focus acts
// on the keys. The help lists the commands.
type command struct {
	key.Binding
	do func(*model) tea.Cmd
}

// keyMap has the commands of one part of the screen in groups, as the help shows them.
type keyMap struct {
	short  []string // the keys in the last line of the screen, the most important first
	groups []group
}

type group struct {
	title    string
	commands []command
}

// on returns a command. The help names the first of the keys, unless the argument shown has another text for them.
func on(keys, shown, does string, do func(*model) tea.Cmd) command {
	all := strings.Fields(keys)
	return command{key.NewBinding(key.WithKeys(all...), key.WithHelp(cmp.Or(shown, all[0]), does)), do}
}

// find returns the first command whose binding satisfies has, or nil if not found.
func (k keyMap) find(has func(key.Binding) bool) *command {
	for _, g := range k.groups {
		for i := range g.commands {
			if has(g.commands[i].Binding) {
				return &g.commands[i]
			}
		}
	}
	return nil
}

// ShortHelp implements help.KeyMap.
func (k keyMap) ShortHelp() []key.Binding {
	var all []key.Binding
	for _, name := range k.short {
		all = append(all, k.find(func(b key.Binding) bool { return slices.Contains(b.Keys(), name) }).Binding)
	}
	return all
}

// FullHelp implements help.KeyMap. A group begins with its title.
func (k keyMap) FullHelp() [][]key.Binding {
	var all [][]key.Binding
	for _, g := range k.groups {
		bindings := []key.Binding{key.NewBinding(key.WithKeys(g.title), key.WithHelp("", g.title))}
		for _, c := range g.commands {
			bindings = append(bindings, c.Binding)
		}
		all = append(all, bindings)
	}
	return all
}

// page returns the help. It puts as many groups side by side as fit into width.
func (k keyMap) page(width int, styles help.Styles) string {
	h := help.New()
	h.Styles = styles
	var rows []string
	var beside [][]key.Binding
	for _, g := range k.FullHelp() {
		with := append(slices.Clone(beside), g)
		if len(beside) > 0 && lipgloss.Width(h.FullHelpView(with)) > width {
			rows = append(rows, h.FullHelpView(beside), "")
			with = [][]key.Binding{g}
		}
		beside = with
	}
	return strings.Join(append(rows, h.FullHelpView(beside)), "\n")
}

// browsing returns the commands of the list and of the page beside it.
func browsing() keyMap {
	scroll := func(lines func(*model) int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd {
			m.reader.scroll(lines(m))
			return nil
		}
	}
	return keyMap{
		short: []string{"?", "q", "u", "e", "a", "/", "enter", "y", "l", "D"},
		groups: []group{
			{"Work", []command{
				on("u", "", "use", use),
				on("e", "", "edit", edit),
				on("a", "", "archive", archive),
				on("z", "", "undo", undo),
				on("y", "", "copy id", copyID),
				on("Y", "", "copy brief", copyBrief),
			}},
			{"Look", []command{
				on("enter right", "enter", "read", enter),
				on("esc left h", "esc", "back", back),
				on("l", "", "log", show(logPage)),
				on("D", "", "diff: last change", show(diffPage)),
				on("d", "", "details", show(detailsPage)),
				on("t", "", "tree", toggleTree),
				on("r", "", "read again", (*model).reload),
			}},
			{"More", []command{
				on("/", "", "search", search),
				on("n", "", "next hit", func(m *model) tea.Cmd { return m.toHit(1) }),
				on("N", "", "previous hit", func(m *model) tea.Cmd { return m.toHit(-1) }),
				on("?", "", "help", showHelp), on("q ctrl+c", "", "quit", (*model).quit),
				on("ctrl+z", "", "suspend", func(*model) tea.Cmd { return tea.Suspend }),
			}},
			{"Move", append(moving(),
				on("J", "", "scroll text down", scroll(func(*model) int { return 1 })),
				on("K", "", "scroll text up", scroll(func(*model) int { return -1 })),
				on("ctrl+d", "", "half a page", scroll(func(m *model) int { return m.bodyHeight() / 2 })),
				on("ctrl+u", "", "half a page back", scroll(func(m *model) int { return -m.bodyHeight() / 2 })),
			)},
		},
	}
}

// reading returns the commands that work while the help is open.
func reading() keyMap {
	return keyMap{
		short: []string{"j", "k", "esc"},
		groups: []group{{"Help", append(moving(),
			on("esc ? q enter", "esc", "back", back), on("ctrl+c", "", "quit", (*model).quit))}},
	}
}

// listKeys returns the keys that move in lists. The lists themselves act on them.
func listKeys() list.KeyMap {
	return list.KeyMap{
		CursorDown: on("down j", "j ↓", "down", nil).Binding, CursorUp: on("up k", "k ↑", "up", nil).Binding,
		GoToStart: on("home g", "g", "first", nil).Binding, GoToEnd: on("end G", "G", "last", nil).Binding,
		NextPage: on("pgdown ctrl+f", "pgdn", "a page down", nil).Binding,
		PrevPage: on("pgup ctrl+b", "pgup", "a page up", nil).Binding,
	}
}

// moving returns the keys of listKeys for the help.
func moving() []command {
	var all []command
	k := listKeys()
	for _, b := range []key.Binding{k.CursorDown, k.CursorUp, k.GoToStart, k.GoToEnd, k.NextPage, k.PrevPage} {
		all = append(all, command{Binding: b})
	}
	return all
}

// newViewport returns a page that the keys of listKeys scroll.
func newViewport() viewport.Model {
	v, k := viewport.New(), listKeys()
	v.KeyMap = viewport.KeyMap{Down: k.CursorDown, Up: k.CursorUp, PageDown: k.NextPage, PageUp: k.PrevPage}
	return v
}
