// Package output prints the answers of commands: as text for people, with one function for each
// answer, and as JSON. Package result has the answers whose JSON has their own fields; for values
// of other packages, the JSON is defined here.
package output

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
)

// Printer prints answers for people. It removes escape sequences from everything that comes
// from a file before it reaches a terminal.
type Printer struct {
	Streams term.Streams
	Quiet   bool     // print no receipts and no remarks
	Given   []string // the arguments of the command, whose secrets remarks and hints must not repeat

	out      *bufio.Writer // the answer
	now      time.Time     // zero if times are not to be told relative to it
	terminal bool          // the answer goes to a terminal
	style    term.Style
	err      error // the first error
}

// New returns a printer. With a now, it tells times on a terminal as ages.
func New(s term.Streams, quiet bool, now time.Time) *Printer {
	return &Printer{
		Streams: s, Quiet: quiet, out: bufio.NewWriter(s.Out), now: now, terminal: s.OutIsTerminal(), style: s.Style(),
	}
}

// Print prints an answer with the function for its type.
func Print[T any](p *Printer, answer T, text func(*Printer, T)) error {
	text(p, answer)
	p.fail(p.out.Flush(), "write the answer")
	return p.err
}

// printf prints its arguments; strings are made harmless, and styled text is not changed.
func (p *Printer) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = term.Plain(s)
		}
	}
	fmt.Fprintf(p.out, format, args...) // Print returns the first error
}

// raw prints the bytes of a file: unchanged in a pipe, harmless on a terminal.
func (p *Printer) raw(text string) {
	if p.terminal {
		text = term.Plain(text)
	}
	_, _ = p.out.WriteString(text)
}

// fail records the first error.
func (p *Printer) fail(err error, step string) {
	if err != nil && p.err == nil {
		p.err = fault.New(fault.Failed, "%s: %w", step, err)
	}
}

// remark prints lines that are not part of the answer to standard error.
func (p *Printer) remark(all ...string) {
	if p.Quiet {
		return
	}
	_ = p.out.Flush()
	for _, text := range all {
		text = p.discreet(text)
		if p.Streams.ErrIsTerminal() {
			text = p.hang(text, len("ckpt: "), len("ckpt: "))
		}
		fmt.Fprintf(p.Streams.Err, "ckpt: %s\n", term.Plain(text))
	}
}

// Remark prints a remark that is the whole answer.
func Remark(p *Printer, text string) { p.remark(text) }

// hint prints the command to type next to standard error.
func (p *Printer) hint(command string) {
	if !p.Quiet {
		_ = p.out.Flush()
		fmt.Fprintf(p.Streams.Err, "hint: %s\n", term.Plain(p.discreet(command)))
	}
}

// discreet returns a text without secrets; see [secrets.Scanner.Hide].
func (p *Printer) discreet(text string) string {
	return (&secrets.Scanner{}).Hide(text, p.Given...)
}

// minute formats a time to the minute.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + "Z" }

// when formats a time for a reader who wants to know how long ago it was: "5 minutes ago" on a
// terminal, or the local date if that was weeks ago. In a pipe it is minute.
func (p *Printer) when(t time.Time) string {
	switch {
	case !p.terminal || p.now.IsZero():
		return minute(t)
	case p.now.Sub(t) > 4*7*text.Day || t.Sub(p.now) > time.Minute:
		return t.Local().Format(time.DateOnly)
	}
	return text.Ago(p.now.Sub(t))
}

// clock formats a time at which something began: local time on a terminal, else minute.
func (p *Printer) clock(t time.Time) string {
	if !p.terminal || p.now.IsZero() {
		return minute(t)
	}
	return t.Local().Format("2006-01-02 15:04")
}

// column returns the times of a list as a column. A time that is not known is none.
func column[T any](p *Printer, all []T, timeOf func(T) time.Time, none string) (cells []string, width int) {
	if !p.terminal {
		width = len(minute(time.Time{}))
	}
	for _, v := range all {
		cell := none
		if t := timeOf(v); !t.IsZero() {
			cell = p.when(t)
		}
		cells = append(cells, cell)
		width = max(width, len(cell))
	}
	for i, cell := range cells {
		cells[i] = cell + strings.Repeat(" ", width-len(cell))
	}
	return cells, width
}

// shorten returns at most n characters of s, but not fewer than 10.
func shorten(s string, n int) string {
	runes := []rune(s)
	n = max(n, 10)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// prefixed returns s with a prefix, unless s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// styled is text that may go to a terminal unchanged. A plain string may not: it may come
// from a file.
type styled string

// Plain, and the methods below, make a text harmless and style it.
func (p *Printer) Plain(text string) styled  { return styled(term.Plain(text)) }
func (p *Printer) Bold(text string) styled   { return styled(p.style.Bold(term.Plain(text))) }
func (p *Printer) Dim(text string) styled    { return styled(p.style.Dim(term.Plain(text))) }
func (p *Printer) Red(text string) styled    { return styled(p.style.Red(term.Plain(text))) }
func (p *Printer) Yellow(text string) styled { return styled(p.style.Yellow(term.Plain(text))) }
func (p *Printer) Green(text string) styled  { return styled(p.style.Green(term.Plain(text))) }

// narrowest is the width below which a text is not wrapped.
const narrowest = 20

// hang wraps a text that begins at the column from to the width of the terminal; further
// lines begin at the column below. It does not wrap in a pipe.
func (p *Printer) hang(text string, from, below int) string {
	return broken(text, 0, p.breaks(text, from, below), below)
}

// broken returns a part of a text, which begins at offset, with line breaks in place of the spaces
// in breaks.
func broken(part string, offset int, breaks []int, below int) string {
	if len(breaks) == 0 {
		return part
	}
	var out strings.Builder
	done := 0
	for _, at := range breaks {
		at -= offset
		if at >= done && at < len(part) {
			out.WriteString(part[done:at] + "\n" + strings.Repeat(" ", below))
			done = at + 1
		}
	}
	return out.String() + part[done:]
}

// breaks returns the offsets of the spaces at which hang wraps a text. A text that begins
// with a space may be wrapped before its first word.
func (p *Printer) breaks(text string, from, below int) []int {
	if !p.terminal || !p.room(below) {
		return nil
	}
	var all []int
	width, at, start := p.Streams.Width(), from, 0
	for word := range strings.SplitSeq(text, " ") {
		n := displaywidth.String(word)
		switch {
		case start == 0:
		case at+1+n > width:
			all = append(all, start-1)
			at = below
		default:
			at++
		}
		at += n
		start += len(word) + 1
	}
	return all
}

// room reports whether the terminal is wide enough for a text that begins at a column. In a pipe it
// always is.
func (p *Printer) room(column int) bool {
	return !p.terminal || p.Streams.Width()-column >= narrowest
}
