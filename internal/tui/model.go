package tui

import (
	"context"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/view"
)

// model is the state of the screen. Update changes it and View draws it. Neither of them reads
// a file, draws a page or runs a command: commands of bubbletea do so, concurrently.
type model struct {
	ctx    context.Context
	source Source
	look   view.Look
	styles styles

	layout
	place  place
	keys   [helpPlace + 1]keyMap
	prompt *prompt // the line that is being typed; nil for none

	all     listing
	reading bool // the checkpoints are being read
	again   bool // the checkpoints must be read again afterwards

	reader reader
	help   viewport.Model
	under  place // the place to return to from the help

	busy     string  // the command that is running
	leaving  bool    // quit when the command has ended
	retry    *prompt // the prompt that began the command; opened again if the command fails
	status   status
	warnings []string
	trouble  string // the error of the last reading; the old rows remain
	fatal    error  // the error of the first reading, after which there is nothing to show
}

// place is the part of the screen that has the focus.
type place int

const (
	listPlace place = iota
	textPlace
	helpPlace
)

func newModel(ctx context.Context, source Source, look view.Look) *model {
	s := newStyles(look.Style)
	m := &model{
		ctx: ctx, source: source, look: look, styles: s, reading: true, layout: layout{width: 80, height: 24},
		all:    listing{styles: s, now: source.Now},
		reader: reader{styles: s, text: newViewport(), thisHit: -1},
		help:   newViewport(),
	}
	m.keys = [...]keyMap{browsing(), browsing(), reading()}
	m.all.list = newList(delegate{&m.all})
	m.help.SoftWrap = true
	m.resize()
	return m
}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd { return m.read }

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.resize()
		return m, m.draw()
	case forestMsg:
		return m, m.take(msg)
	case page:
		m.reader.take(msg, m.all.query)
		return m, m.draw()
	case changedMsg:
		return m, m.reload()
	case doneMsg:
		return m, m.finish(msg)
	case copyMsg:
		return m, m.copy(msg)
	case copiedMsg:
		m.status = status{text: string(msg)}
	case tea.PasteMsg:
		if m.prompt != nil {
			msg.Content = oneLine(msg.Content)
			return m, m.prompt.update(m, msg)
		}
	case tea.KeyPressMsg:
		return m, m.press(msg)
	}
	return m, nil
}

// press performs the action of a key.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.status = status{}
	switch {
	case m.prompt != nil:
		return m.prompt.press(m, msg)
	case len(m.all.rows) == 0 && msg.String() == "esc" && m.place == listPlace:
		return m.quit()
	}
	if c := m.keys[m.place].find(func(b key.Binding) bool { return key.Matches(msg, b) }); c != nil && c.do != nil {
		return c.do(m)
	}
	return m.move(msg)
}

// move passes a key that moves or scrolls on to the part of the screen with the focus.
func (m *model) move(msg tea.KeyPressMsg) tea.Cmd {
	switch m.place {
	case listPlace:
		m.all.list, _ = m.all.list.Update(msg)
		return m.draw()
	case textPlace:
		scroll(&m.reader.text, msg)
	case helpPlace:
		scroll(&m.help, msg)
	}
	return nil
}

// scroll scrolls a page.
func scroll(page *viewport.Model, msg tea.KeyPressMsg) {
	switch msg.String() {
	case "g", "home":
		page.GotoTop()
	case "G", "end":
		page.GotoBottom()
	default:
		*page, _ = page.Update(msg)
	}
}

// forestMsg has the checkpoints that were read, or the error.
type forestMsg struct {
	forest *lineage.Forest
	rows   []*row
	latest []*row
	err    error
}

func (m *model) read() tea.Msg {
	forest, err := m.source.Forest(m.ctx)
	if err != nil {
		return forestMsg{err: err}
	}
	rows := rowsOf(forest)
	return forestMsg{forest: forest, rows: rows, latest: latest(rows)}
}

// changedMsg tells that files of a watched folder have changed.
type changedMsg struct{}

// reload reads the checkpoints again. If they are being read already, they are read once more afterwards.
func (m *model) reload() tea.Cmd {
	if m.reading {
		m.again = true
		return nil
	}
	m.reading = true
	return m.read
}

// take shows rows that were read. The selected row stays selected. After the first reading the
// requested checkpoint is selected, or else the current one.
func (m *model) take(msg forestMsg) tea.Cmd {
	m.reading = false
	var more tea.Cmd
	if m.again {
		m.again = false
		more = m.reload()
	}
	switch {
	case msg.err != nil && m.all.rows == nil:
		m.fatal = msg.err
		return tea.Quit
	case msg.err != nil:
		m.trouble = oneLine(msg.err.Error())
		return more
	}
	chosen := m.all.chosen()
	if m.all.rows == nil {
		chosen = &row{path: m.source.First()}
	}
	m.all.rows, m.all.latest, m.trouble = msg.rows, msg.latest, ""
	m.warnings, m.warns = msg.forest.Warnings, len(msg.forest.Warnings) > 0
	m.reader.stale = true // the old page is shown until the new one is drawn
	m.resize()
	m.all.arrange(chosen)
	return tea.Batch(more, m.draw())
}

// enter moves the focus to the page.
func enter(m *model) tea.Cmd {
	if m.all.chosen() != nil {
		m.place = textPlace
	}
	return nil
}

// back leaves what was opened last: a pane, a kind of page, the search.
func back(m *model) tea.Cmd {
	switch {
	case m.place == helpPlace:
		m.place = m.under
	case m.place != listPlace:
		m.place = listPlace
	case m.reader.kind != textPage:
		m.reader.kind = textPage
		return m.draw()
	case m.all.query.found != nil:
		return m.searchFor("")
	}
	return nil
}

func toggleTree(m *model) tea.Cmd {
	m.all.tree = !m.all.tree
	m.all.arrange(m.all.chosen())
	return m.draw()
}

// quit ends the browser. If a command is running, quit waits until the command has ended.
func (m *model) quit() tea.Cmd {
	if m.busy == "" {
		return tea.Quit
	}
	m.leaving = true
	m.status = status{text: "waiting for " + m.busy}
	return nil
}

func showHelp(m *model) tea.Cmd {
	m.under, m.place = m.place, helpPlace
	m.help.GotoTop()
	m.resize()
	return nil
}

// helpEnd is the text below the keys in the help.
const helpEnd = "Each change is the ckpt command of that name, and a commit: z or ckpt undo takes it back. " +
	"The list follows the files while others write them."
