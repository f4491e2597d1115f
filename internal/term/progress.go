package term

import (
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

// Progress is one line on standard error about long work: "Looking through history: 120 of 900". It is shown
// on a terminal only, after the work has taken a second, and [Progress.Done] removes it.
//
// Progress has no goroutine and no timer: only Show draws it. It is safe for concurrent use. A
// nil Progress shows nothing.
type Progress struct {
	streams Streams
	now     func() time.Time

	mu    sync.Mutex
	next  time.Time // the time before which the line is not drawn
	shown bool
}

// Progress returns the progress of work that begins now. A command passes time.Now as the clock.
func (s Streams) Progress(now func() time.Time) *Progress {
	if !s.ErrIsTerminal() || s.dumb() {
		return nil
	}
	return &Progress{streams: s, now: now, next: now().Add(progressAfter)}
}

// Show replaces the text of the line. It does nothing if Progress was drawn a moment ago or has just begun.
func (p *Progress) Show(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); !now.Before(p.next) {
		p.next, p.shown = now.Add(progressEvery), true
		p.draw(strings.ReplaceAll(Plain(text), "\n", " "))
	}
}

// Done removes the line. It may be called more than once: deferred, and before a message is
// printed.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		p.draw("")
		p.shown = false
	}
}

// draw replaces the line on the screen. It shortens the line, since one that wraps could not be removed. It
// ignores errors, which must not stop the work.
func (p *Progress) draw(line string) {
	width := p.streams.widthOf(p.streams.Err) // the width may have changed
	_, _ = io.WriteString(p.streams.Err, "\r\x1b[K"+displaywidth.TruncateString(line, max(width-1, 1), "…"))
}
