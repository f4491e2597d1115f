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

// model is the state of the screen. Update changes it and View draws it. Neither of them reads
// a file or draws a page: commands do so, concurrently.
type model struct {
	ctx    context.Context
	source source
	look   view.Look
	style  term.Style

	width, height int

	rows     []row // in the order of a tree
	latest   []int // indexes of rows, in the order of a list
	warnings []string
	shown    []int // indexes of the rows that match the query, in the order of tree or list
	at, top  int   // indexes of shown: the selected row and the first one on the screen
	tree     bool
	query    string
	typing   bool // keys are added to the query
	reading  bool // the rows are being read

	page    page // the page on the screen
	wanted  pageKey
	drawing bool // a page is being drawn; if wanted has changed, it is drawn next
	scroll  int  // how many lines of the page are above the screen
	inside  bool // keys scroll the page and not the list
	details bool

	trouble string // the error of the last reading; the old rows remain
	fatal   error  // the error of the first reading, after which there is nothing to show
}

func newModel(ctx context.Context, source source, look view.Look, style term.Style) *model {
	return &model{ctx: ctx, source: source, look: look, style: style, width: 80, height: 24, reading: true}
}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd { return m.read }

// forestMsg has the checkpoints that were read, or the error.
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

// take shows rows that were read. The selected row stays selected. The first time it selects the
// requested checkpoint, or else the current one.
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
	m.page.key.width = 0 // marks the page as outdated; it is shown until the new one is drawn
	if m.query == "" {
		return m.arrange(chosen)
	}
	return tea.Batch(m.arrange(chosen), m.index())
}

// arrange computes the list again, and selects the row of a path if it still exists.
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

// wordsMsg has the searchable words of rows. It is ignored if other rows were read meanwhile.
type wordsMsg struct {
	rows  *row
	words []string
}

// index requests the searchable words of the rows, unless they are known.
func (m *model) index() tea.Cmd {
	if len(m.rows) == 0 || m.rows[0].words != "" {
		return nil
	}
	rows := slices.Clone(m.rows)
	first := &m.rows[0]
	return func() tea.Msg { return wordsMsg{first, wordsOf(rows)} }
}

// learn stores the words and repeats the search.
func (m *model) learn(msg wordsMsg) tea.Cmd {
	if len(m.rows) == 0 || msg.rows != &m.rows[0] {
		return nil // other rows were read meanwhile
	}
	for i, words := range msg.words {
		m.rows[i].words = words
	}
	return m.rearrange()
}

// chosen returns the selected row, or nil if the list is empty.
func (m *model) chosen() *row {
	if m.at >= len(m.shown) {
		return nil
	}
	return &m.rows[m.shown[m.at]]
}

// choose selects a row, or the nearest one that exists, and requests its page.
func (m *model) choose(at int) tea.Cmd {
	m.at = max(0, min(at, len(m.shown)-1))
	height := m.listHeight()
	m.top = max(0, min(m.top, m.at, len(m.shown)-height), m.at-height+1)
	return m.draw()
}

// draw requests the page of the selected row, unless it is shown or a page is being drawn.
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
