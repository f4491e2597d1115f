package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// model is the state of the screen. Update changes it, View draws it; neither reads a
// file nor draws a page: commands do.
type model struct {
	ctx    context.Context
	source source
	look   view.Look
	style  term.Style

	width, height int

	rows     []row // in the order of a tree
	latest   []int // of rows, in the order of a list
	warnings []string
	shown    []int // of rows: those that the query leaves, in the order of tree or list
	at, top  int   // the chosen row and the first one on the screen, in shown
	tree     bool
	query    string
	typing   bool // what is typed goes to query
	reading  bool // the rows are on their way

	page    page // the drawn one
	wanted  pageKey
	drawing bool // a page is on its way; the newest wish comes next
	scroll  int  // lines of the page above the screen
	inside  bool // keys move the page
	details bool

	trouble string // of the last reading; the rows before stay
	fatal   error  // of the first reading: there is nothing to show
}

func newModel(ctx context.Context, source source, look view.Look, style term.Style) *model {
	return &model{ctx: ctx, source: source, look: look, style: style, width: 80, height: 24, reading: true}
}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd { return m.read }

// forestMsg is the checkpoints as they were a moment ago.
type forestMsg struct {
	forest *lineage.Forest
	rows   []row
	latest []int
	err    error
}

func (m *model) read() tea.Msg {
	forest, err := m.source.forest(m.ctx)
	if err != nil {
		return forestMsg{err: err}
	}
	rows := rowsOf(forest)
	return forestMsg{forest: forest, rows: rows, latest: latest(rows)}
}

// take puts newly read rows on the screen. The chosen one stays chosen; at first it is
// the one asked for, else the current one.
func (m *model) take(msg forestMsg) tea.Cmd {
	m.reading = false
	switch {
	case msg.err != nil && m.rows == nil:
		m.fatal = msg.err
		return tea.Quit
	case msg.err != nil:
		m.trouble = oneLine(msg.err.Error())
		return nil
	}
	chosen := m.source.first
	if r := m.chosen(); r != nil {
		chosen = r.path
	}
	m.rows, m.latest, m.warnings, m.trouble = msg.rows, msg.latest, msg.forest.Warnings, ""
	m.page.key.width = 0 // drawn of what was; shown until the new one is
	if m.query == "" {
		return m.arrange(chosen)
	}
	return tea.Batch(m.arrange(chosen), m.index())
}

// arrange makes the list anew, with the row of a path chosen where it is there still.
func (m *model) arrange(chosen string) tea.Cmd {
	wanted := strings.Fields(strings.ToLower(m.query))
	m.shown, m.at = m.shown[:0], 0
	for i := range m.rows {
		if !m.tree {
			i = m.latest[i]
		}
		if !m.rows[i].holds(wanted) {
			continue
		}
		if m.rows[i].path == chosen {
			m.at = len(m.shown)
		}
		m.shown = append(m.shown, i)
	}
	return m.choose(m.at)
}

// wordsMsg is what a search looks at in rows, if these are still there.
type wordsMsg struct {
	rows  *row
	words []string
}

// index has the words made that a search looks at, unless they are there.
func (m *model) index() tea.Cmd {
	if len(m.rows) == 0 || m.rows[0].words != "" {
		return nil
	}
	rows := slices.Clone(m.rows)
	first := &m.rows[0]
	return func() tea.Msg { return wordsMsg{first, wordsOf(rows)} }
}

// learn takes the words, and has the search look again.
func (m *model) learn(msg wordsMsg) tea.Cmd {
	if len(m.rows) == 0 || msg.rows != &m.rows[0] {
		return nil // read again meanwhile
	}
	for i, words := range msg.words {
		m.rows[i].words = words
	}
	return m.rearrange()
}

// chosen is the chosen row, nil where the list is empty.
func (m *model) chosen() *row {
	if m.at >= len(m.shown) {
		return nil
	}
	return &m.rows[m.shown[m.at]]
}

// choose goes to a row, or as near as there is one, and has its page drawn.
func (m *model) choose(at int) tea.Cmd {
	m.at = max(0, min(at, len(m.shown)-1))
	height := m.listHeight()
	m.top = max(0, min(m.top, m.at, len(m.shown)-height), m.at-height+1)
	return m.draw()
}

// draw asks for the page of the chosen row, unless it is there or one is on its way.
func (m *model) draw() tea.Cmd {
	r := m.chosen()
	if r == nil {
		m.wanted = pageKey{}
		return nil
	}
	if key := (pageKey{r.path, m.pageWidth(), m.details}); key != m.wanted {
		m.wanted, m.scroll = key, 0
	}
	if m.drawing || m.page.key == m.wanted {
		return nil
	}
	m.drawing = true
	return m.drawPage(m.wanted, *r)
}
