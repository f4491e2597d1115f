package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/clipperhouse/displaywidth"
)

const (
	progressAfter = time.Second            // shorter work shows no progress
	progressEvery = 100 * time.Millisecond // more frequent updates would not be visible
)

// Progress is one line on standard error that counts long work: "Scanning history: 120 of 900".
// It is shown on a terminal only, after the work has taken a second, and [Progress.Done]
// removes it.
//
// Progress has no goroutine and no timer: only Set draws it. It is safe for concurrent use. A
// nil Progress shows nothing.
type Progress struct {
	out   io.Writer
	title string
	total int
	width func() int // returns the width of the screen, which may change
	now   func() time.Time

	mu    sync.Mutex
	begun time.Time
	drawn time.Time // zero if the line is not on the screen
}

// Progress starts to count work called title, of total steps, or 0 if the number is not known.
// A command passes time.Now as the clock.
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

// Set records that n steps are done.
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
	count := fmt.Sprintf(": %d", n)
	if p.total > 0 {
		count += fmt.Sprintf(" of %d", p.total)
	}
	p.draw(displaywidth.TruncateString(p.title, max(p.width()-1-len(count), 1), "…") + count)
}

// Say shows a text instead of the count, at once.
func (p *Progress) Say(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drawn = p.now()
	p.draw(strings.ReplaceAll(Plain(text), "\n", " "))
}

// Done removes the line. It may be called more than once: deferred, and before a message is
// printed.
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

// draw replaces the line on the screen; one that wraps could not be removed. It ignores errors, which must
// not stop the work.
func (p *Progress) draw(line string) {
	_, _ = io.WriteString(p.out, "\r\x1b[K"+displaywidth.TruncateString(line, max(p.width()-1, 1), "…"))
}
