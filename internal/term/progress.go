package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	progressAfter = time.Second            // shorter work says nothing
	progressEvery = 100 * time.Millisecond // a screen is not faster than eyes
)

// Progress is one line on standard error that counts long work: "Scanning
// history: 120 of 900". Only a person on a terminal sees it, only once the work
// has taken a second, and [Progress.Done] wipes it out again.
//
// It has no goroutine and no timer: Set draws it, so work that never calls Set
// shows nothing. Several goroutines may use one. A nil Progress shows nothing.
type Progress struct {
	out   io.Writer
	title string
	total int
	width func() int // of the screen, which may change
	now   func() time.Time

	mu    sync.Mutex
	begun time.Time
	drawn time.Time // zero: nothing is on the screen
}

// Progress begins to count work called title, of total steps (0: nobody knows how
// many). The clock is handed in; a command passes time.Now.
func (s Streams) Progress(title string, total int, now func() time.Time) *Progress {
	if !s.ErrIsTerminal() || s.dumb() {
		return nil
	}
	return &Progress{
		out:   s.Err,
		title: Plain(title),
		total: total,
		width: func() int { return s.widthOf(s.Err) },
		now:   now,
		begun: now(),
	}
}

// Set says that n steps are done.
func (p *Progress) Set(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.begun) < progressAfter || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn = now
	p.draw(p.line(n))
}

// Say shows a text in place of the count, at once.
func (p *Progress) Say(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drawn = p.now()
	p.draw(fit(strings.ReplaceAll(Plain(text), "\n", " "), max(p.width()-1, 1)))
}

// Done wipes the line out. It may be called more than once, as a deferred call
// beside one that makes way for a remark.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.drawn.IsZero() {
		p.draw("")
		p.drawn = time.Time{}
	}
}

// draw replaces the line on the screen. Progress is an ornament: that it could
// not be drawn is no reason to stop the work.
func (p *Progress) draw(line string) { _, _ = io.WriteString(p.out, "\r\x1b[K"+line) }

// line fits the screen, since a line that wraps cannot be wiped out.
func (p *Progress) line(n int) string {
	line := fmt.Sprintf("%s: %d", p.title, n)
	if p.total > 0 {
		line = fmt.Sprintf("%s: %d of %d", p.title, n, p.total)
	}
	if over := utf8.RuneCountInString(line) - (p.width() - 1); over > 0 {
		runes := []rune(line)
		line = string(runes[min(over, len(runes)):]) // the count is the news
	}
	return line
}
