package tui

import (
	"context"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// pageKind is what a page shows of a checkpoint.
type pageKind int

const (
	textPage pageKind = iota
	detailsPage
	logPage
	diffPage
)

// names are the kinds as headings show them.
var names = [...]string{textPage: "", detailsPage: "details", logPage: "log", diffPage: "last change"}

// pageKey determines what a page shows.
type pageKey struct {
	path  string
	width int
	kind  pageKind
}

// page is a drawn checkpoint. Each line begins with its colours and resets them at its end.
type page struct {
	key   pageKey
	lines []string
}

// reader is the page beside the list.
type reader struct {
	styles  styles
	text    viewport.Model
	page    page // the page on the screen
	wanted  pageKey
	kind    pageKind
	stale   bool  // page is of an earlier reading of the checkpoints
	drawing bool  // a page is being drawn; wanted is drawn next if it differs
	hits    []int // the lines of the page that contain a hit
	thisHit int   // the index in hits of the selected hit; -1 for none
}

// show returns a function that switches to a kind of page, and from there back to the text.
func show(kind pageKind) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		shown := m.reader.kind == kind
		m.reader.kind = kind
		if shown {
			m.reader.kind = textPage
		}
		if m.oneColumn() && m.all.chosen() != nil {
			m.place = textPlace
		}
		return m.draw()
	}
}

// draw requests the page of the selected row, unless it is shown or a page is being drawn.
func (m *model) draw() tea.Cmd {
	p, r := &m.reader, m.all.chosen()
	if r == nil {
		p.wanted = pageKey{}
		return nil
	}
	p.wanted = pageKey{r.path, m.pageWidth(), p.kind}
	if p.drawing || p.page.key == p.wanted && !p.stale {
		return nil
	}
	p.drawing, p.stale = true, false
	return drawing{ctx: m.ctx, source: m.source, look: m.look, styles: m.styles, row: r, pageKey: p.wanted}.page
}

// take shows a page that was drawn. If it is a newer version of the page on the screen, the position stays.
func (p *reader) take(drawn page, q query) {
	p.drawing = false
	same := p.page.key.path == drawn.key.path && p.page.key.kind == drawn.key.kind
	p.page = drawn
	if !same {
		p.thisHit = -1
	}
	p.fill(q)
	if !same {
		p.text.GotoTop()
		p.toHit()
	}
}

// fill puts the page on the screen and highlights the hits of the search.
func (p *reader) fill(q query) {
	p.hits = nil
	lines := make([]string, len(p.page.lines))
	for i, line := range p.page.lines {
		lines[i] = q.highlight(line, p.styles.hit)
		if lines[i] == line {
			continue
		}
		if len(p.hits) == p.thisHit {
			lines[i] = q.highlight(line, p.styles.thisHit)
		}
		p.hits = append(p.hits, i)
	}
	p.text.SetContentLines(lines)
}

// toHit scrolls to the selected hit, or else to the first one.
func (p *reader) toHit() {
	if len(p.hits) > 0 {
		p.text.EnsureVisible(p.hits[max(p.thisHit, 0)], 0, 0)
	}
}

// moveHit selects the next hit if by is 1, or the previous one if by is -1. At the end it returns false.
func (p *reader) moveHit(q query, by int) bool {
	to := p.thisHit + by
	if to < 0 || to >= len(p.hits) {
		return false
	}
	p.thisHit = to
	p.fill(q)
	p.toHit()
	return true
}

// scroll scrolls the page by lines.
func (p *reader) scroll(by int) { p.text.SetYOffset(p.text.YOffset() + by) }

// place returns the kind of the page and the position in it, for the heading.
func (p *reader) place() string {
	what := ""
	if name := names[p.kind]; name != "" {
		what = ", " + name
	}
	if p.page.key == p.wanted && p.text.TotalLineCount() > p.text.Height() {
		what += fmt.Sprintf(", %.0f %%", p.text.ScrollPercent()*100)
	}
	if p.thisHit >= 0 {
		what += fmt.Sprintf(", hit %d of %d", p.thisHit+1, len(p.hits))
	}
	return what
}

// view returns the lines of the page. If the wanted page is still being drawn, it returns only an ellipsis.
func (p *reader) view() []string {
	if p.page.key.path != p.wanted.path || p.page.key.kind != p.wanted.kind {
		return []string{p.styles.dim.Render("…")}
	}
	return strings.Split(p.text.View(), "\n")
}

// drawing draws a page. It runs concurrently with the model.
type drawing struct {
	ctx    context.Context
	source Source
	look   view.Look
	styles styles
	row    *row
	pageKey
}

// page draws the page. If that fails, the page has the reason.
func (d drawing) page() tea.Msg {
	var lines []string
	switch {
	case d.kind == textPage, d.row.node == nil:
		lines = d.checkpoint()
	case d.kind == detailsPage:
		lines = d.details()
	case d.kind == logPage:
		lines = d.printed("log", d.row.id())
	case d.kind == diffPage:
		lines = d.printed("diff", "@{1}", "-c", d.row.id())
	}
	return page{d.pageKey, lines}
}

// checkpoint returns the text of a checkpoint, below what is wrong with it.
func (d drawing) checkpoint() []string {
	var head []string
	for _, p := range d.row.problems() {
		head = append(head, d.bad(p)...)
	}
	if d.row.node == nil {
		path := oneLine(d.row.path)
		return append(head, "", "e edits it", "ckpt validate "+path, "ckpt show --raw "+path)
	}
	if len(head) > 0 {
		head = append(head, "")
	}
	return append(head, d.markdown(string(d.row.node.Checkpoint.Doc.Filled()))...)
}

// details returns all that is known of a checkpoint.
func (d drawing) details() []string {
	answer, _, err := d.source.Command(d.ctx, 0, "show", d.row.id(), "--details")
	if err != nil {
		return d.failure(err)
	}
	return d.markdown(answer)
}

// markdown draws Markdown. If that fails, it returns the reason and the Markdown as it is.
func (d drawing) markdown(text string) []string {
	look := d.look
	look.Width = max(d.width, view.MinWidth)
	drawn, err := view.RenderSoon(d.ctx, text, look)
	if err != nil {
		return append(d.bad(err.Error()), alone(term.Plain(text))...)
	}
	return alone(drawn)
}

// printed returns what a command prints.
func (d drawing) printed(args ...string) []string {
	answer, _, err := d.source.Command(d.ctx, max(d.width, view.MinWidth), args...)
	if err != nil {
		return d.failure(err)
	}
	return alone(term.PlainKeepColor(answer))
}

func (d drawing) failure(err error) []string {
	lines := d.bad(err.Error())
	if hint := fault.HintOf(err); hint != "" {
		lines = append(lines, "hint: "+oneLine(hint))
	}
	return lines
}

// bad returns a text about what is wrong, wrapped to the width of the page.
func (d drawing) bad(text string) []string {
	lines := strings.Split(ansi.Wrap(oneLine(text), max(d.width, 1), ""), "\n")
	for i, line := range lines {
		lines[i] = d.styles.bad.Render(line)
	}
	return lines
}
