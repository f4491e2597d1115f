// Package output prints the answers of commands: as text for people, with one function for each
// answer, and as JSON. The JSON of a type of package result has the fields of that type. The JSON
// of other types is defined here.
package output

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
)

// Printer prints answers for people. Text of a file reaches a terminal only without its
// escape sequences.
type Printer struct {
	Streams term.Streams
	Quiet   bool     // print no receipts and no remarks
	Given   []string // the arguments of the command, whose secrets remarks and hints must not repeat

	out      *bufio.Writer // the answer
	line     string        // on a terminal, the beginning of a line that has not ended yet
	now      time.Time     // zero if times are not printed as ages
	terminal bool          // the answer goes to a terminal
	width    int           // of the terminal
	style    term.Style
}

// New returns a printer. If now is not zero, it prints times on a terminal as ages.
func New(s term.Streams, quiet bool, now time.Time) *Printer {
	return &Printer{Streams: s, Quiet: quiet, out: bufio.NewWriter(s.Out), now: now, terminal: s.OutIsTerminal(),
		width: s.Width(), style: s.Style()}
}

// Print prints an answer with the function text, and returns the first error of writing.
func Print[T any](p *Printer, answer T, text func(*Printer, T)) error {
	text(p, answer)
	_, _ = p.out.WriteString(p.line)
	if err := p.out.Flush(); err != nil {
		return fault.New(fault.Failed, "write the answer: %w", err)
	}
	return nil
}

// printf prints its arguments. It removes escape sequences from strings, and does not change styled text.
// On a terminal it wraps lines as [term.Wrap] does.
func (p *Printer) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = term.Plain(s)
		}
	}
	if !p.terminal {
		fmt.Fprintf(p.out, strings.ReplaceAll(format, term.Hang, ""), args...) // Print returns the first error
		return
	}
	lines := strings.Split(p.line+fmt.Sprintf(format, args...), "\n")
	for _, line := range lines[:len(lines)-1] {
		_, _ = p.out.WriteString(term.Wrap(line, p.width) + "\n")
	}
	p.line = lines[len(lines)-1]
}

// raw prints the bytes of a file: unchanged in a pipe, without escape sequences on a terminal.
func (p *Printer) raw(text string) {
	if p.terminal {
		text = term.Plain(text)
	}
	_, _ = p.out.WriteString(text)
}

// table prints rows of cells in columns. On a terminal the last cell of a row is wrapped within its
// column, or shortened if cut is set. If there is too little space for that, the cell has a line of its
// own.
func (p *Printer) table(cut bool, rows ...[]styled) {
	var widths []int
	from := 0
	for i := range rows {
		for n, cell := range rows[i][:len(rows[i])-1] {
			if n == len(widths) {
				widths = append(widths, 0)
			}
			wider := max(term.Columns(string(cell))-widths[n], 0)
			widths[n] += wider
			from += wider
		}
	}
	from += len("  ") * len(widths)
	format := "%s" + term.Hang + "%s\n"
	if p.terminal && p.width-from < term.Narrowest {
		format, from, widths = "%s\n    %s\n", 4, make([]int, len(widths))
	}
	for _, row := range rows {
		head, last := "", row[len(row)-1]
		for n, cell := range row[:len(row)-1] {
			head += string(cell) + strings.Repeat(" ", max(widths[n]-term.Columns(string(cell)), 0)+2)
		}
		if last == "" {
			p.printf("%s\n", styled(strings.TrimRight(head, " ")))
			continue
		}
		if cut && p.terminal {
			last = styled(shorten(string(last), p.width-from))
		}
		if from == 4 {
			head = strings.TrimRight(head, " ")
		}
		p.printf(format, styled(head), last)
	}
}

// remark prints lines to standard error, since they are not part of the answer.
func (p *Printer) remark(all ...string) {
	if p.Quiet {
		return
	}
	_ = p.out.Flush()
	for _, text := range all {
		text = term.Plain(p.discreet(text))
		if p.Streams.ErrIsTerminal() {
			text = strings.TrimPrefix(term.Wrap("ckpt: "+term.Hang+text, p.width), "ckpt: ")
		}
		fmt.Fprintf(p.Streams.Err, "ckpt: %s\n", text)
	}
}

// Remark prints a remark that is the whole answer.
func Remark(p *Printer, text string) { p.remark(text) }

// hint prints to standard error which command to type next.
func (p *Printer) hint(command string) {
	if !p.Quiet {
		_ = p.out.Flush()
		fmt.Fprintf(p.Streams.Err, "hint: %s\n", term.Plain(p.discreet(command)))
	}
}

// discreet returns a text without secrets; see [secrets.Scanner.Hide].
func (p *Printer) discreet(text string) string { return (&secrets.Scanner{}).Hide(text, p.Given...) }

// minute formats a time to the minute.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + "Z" }

// when formats a time for a reader who wants to know how long ago it was: "5 minutes ago" on a
// terminal, or the local date if that was weeks ago. In a pipe it formats as minute does.
func (p *Printer) when(t time.Time) string {
	switch {
	case !p.terminal || p.now.IsZero():
		return minute(t)
	case p.now.Sub(t) > 4*7*text.Day || t.Sub(p.now) > time.Minute:
		return t.Local().Format(time.DateOnly)
	}
	return text.Ago(p.now.Sub(t))
}

// clock formats the time at which something began, to the minute: on a terminal in local time, otherwise in UTC.
func (p *Printer) clock(t time.Time) string {
	if !p.terminal || p.now.IsZero() {
		return minute(t)
	}
	return t.Local().Format("2006-01-02 15:04")
}

// shorten returns s, which has no colours, in at most the given number of columns.
func shorten(s string, columns int) string {
	cut := displaywidth.TruncateString(s, max(columns, 1), "…")
	if cut == s {
		return s
	}
	return text.Cut(strings.TrimSuffix(cut, "…"))
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

// Plain, and the methods below, remove escape sequences from a text and style it.
func (p *Printer) Plain(text string) styled  { return styled(term.Plain(text)) }
func (p *Printer) Bold(text string) styled   { return styled(p.style.Bold(term.Plain(text))) }
func (p *Printer) Dim(text string) styled    { return styled(p.style.Dim(term.Plain(text))) }
func (p *Printer) Red(text string) styled    { return styled(p.style.Red(term.Plain(text))) }
func (p *Printer) Yellow(text string) styled { return styled(p.style.Yellow(term.Plain(text))) }
func (p *Printer) Green(text string) styled  { return styled(p.style.Green(term.Plain(text))) }

// name styles the id of a checkpoint with a status: bold, and green if it is the current one.
func (p *Printer) name(id, status string) styled {
	if status == string(checkpoint.Current) {
		return styled(p.style.Green(p.style.Bold(term.Plain(id))))
	}
	return p.Bold(id)
}

// prose removes escape sequences from Markdown. On a terminal, text between ** and ** is bold, without the marks.
func (p *Printer) prose(markdown string) styled {
	parts := strings.Split(term.Plain(markdown), "**")
	if !p.terminal || len(parts)%2 == 0 {
		return p.Plain(markdown)
	}
	for i := 1; i < len(parts); i += 2 {
		parts[i] = p.style.Bold(parts[i])
	}
	return styled(strings.Join(parts, ""))
}
