package tui

import (
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// query is what the user searches for.
type query struct {
	text  string
	words []string       // in lower case
	found *regexp.Regexp // matches one of the words; nil without words
}

func newQuery(text string) query {
	q := query{text: text, words: strings.Fields(strings.ToLower(text))}
	if len(q.words) == 0 {
		return query{}
	}
	var any []string
	for _, w := range q.words {
		any = append(any, regexp.QuoteMeta(w))
	}
	q.found = regexp.MustCompile("(?i)" + strings.Join(any, "|"))
	return q
}

// highlight marks the hits in a line. A line without hits stays as it is.
func (q query) highlight(line string, style lipgloss.Style) string {
	if q.found == nil {
		return line
	}
	bare := ansi.Strip(line)
	var ranges []lipgloss.Range
	for _, at := range q.found.FindAllStringIndex(bare, -1) {
		begin := ansi.StringWidth(bare[:at[0]])
		ranges = append(ranges, lipgloss.NewRange(begin, begin+ansi.StringWidth(bare[at[0]:at[1]]), style))
	}
	return lipgloss.StyleRanges(line, ranges...)
}

// search asks for words. While they are typed, the list shows the rows that have all of them.
func search(m *model) tea.Cmd {
	m.place = listPlace
	m.open(&prompt{
		label:  "/",
		typed:  (*model).searchFor,
		accept: (*model).searchFor,
		cancel: func(m *model) tea.Cmd { return m.searchFor("") },
	}, m.all.query.text)
	return nil
}

// searchFor shows the rows that have all words of a text. An empty text shows all.
func (m *model) searchFor(text string) tea.Cmd {
	m.all.query = newQuery(text)
	m.all.arrange(m.all.chosen())
	m.reader.thisHit = -1
	m.reader.fill(m.all.query)
	m.reader.toHit()
	return m.draw()
}

// toHit selects the next hit of the page if by is 1, or the previous one if by is -1. If the page has no such hit, it
// selects the next or previous checkpoint.
func (m *model) toHit(by int) tea.Cmd {
	if m.all.query.found == nil || m.reader.moveHit(m.all.query, by) {
		return nil
	}
	m.all.list.Select(max(0, min(m.all.list.Index()+by, len(m.all.list.Items())-1)))
	return m.draw()
}
