// Package term handles the terminal: the three streams of a process, what they can display, and
// the programs that use them, such as a pager or the Markdown viewer.
//
// Text from a file reaches a terminal only as text: [Plain] removes all escape sequences. A
// stream that is not known to be a terminal gets no colour, no pager and no progress line.
//
// The package is part of a command whose start takes only milliseconds. So it does not render
// Markdown, and it has only the colours of [Style].
package term

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	xterm "golang.org/x/term"
)

// fallbackWidth is the width to use if the width is unknown, as in a pipe.
const fallbackWidth = 80

// Streams is what a process reads from and writes to. [System] returns the streams of this process.
// A buffer is not a terminal unless [Screen] wraps it.
type Streams struct {
	In  io.Reader // required if anything is read
	Out io.Writer // required; the answer
	Err io.Writer // required; messages

	NoColor bool   // --no-color, or git's color.ui
	NoPager bool   // --no-pager
	Pager   string // git's core.pager

	// Env is the environment as "NAME=value", for this package and for the programs that it
	// starts. The last value of a name counts. Nil is an empty environment.
	Env []string
}

// System returns the streams and the environment of this process.
func System() Streams {
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ()}
}

// InIsTerminal reports whether a person types the input.
func (s Streams) InIsTerminal() bool { return isTerminal(s.In) }

// OutIsTerminal reports whether a person sees the answer.
func (s Streams) OutIsTerminal() bool { return isTerminal(s.Out) }

// ErrIsTerminal reports whether a person sees the messages.
func (s Streams) ErrIsTerminal() bool { return isTerminal(s.Err) }

// Color reports whether the answer is coloured. NoColor and NO_COLOR turn colours off. Otherwise CLICOLOR_FORCE turns
// them on, and so does a terminal that is not dumb (https://no-color.org, https://bixense.com/clicolors).
func (s Streams) Color() bool { return s.colored(s.Out) }

func (s Streams) colored(stream io.Writer) bool {
	force := s.Getenv("CLICOLOR_FORCE")
	switch {
	case s.NoColor || s.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return isTerminal(stream) && !s.dumb()
}

// Style returns the colours of the answer, as [Streams.Color] permits them.
func (s Streams) Style() Style { return Style{On: s.Color()} }

// ErrStyle returns the colours of the messages, by the rules of Color.
func (s Streams) ErrStyle() Style { return Style{On: s.colored(s.Err)} }

// Width returns the width of the answer in columns: COLUMNS if it is a positive number, else
// the width of the terminal, else 80.
func (s Streams) Width() int { return s.widthOf(s.Out) }

func (s Streams) widthOf(stream io.Writer) int {
	if n, err := strconv.Atoi(s.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if p, ok := stream.(*page); ok {
		stream = p.of
	}
	if f, ok := stream.(*os.File); ok {
		if n, _, err := xterm.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return fallbackWidth
}

// dumb reports whether the terminal cannot move its cursor, like the shell window of an editor.
func (s Streams) dumb() bool { return s.Getenv("TERM") == "dumb" }

// Getenv returns the value of a variable of Env, or "" if it is not set.
func (s Streams) Getenv(name string) string {
	value, _ := s.lookup(name)
	return value
}

func (s Streams) lookup(name string) (value string, ok bool) {
	for _, entry := range slices.Backward(s.Env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Screen returns a writer to w that counts as a terminal, for tests and for the browser.
func Screen(w io.Writer) io.Writer { return screen{w} }

type screen struct{ io.Writer }

func (screen) IsTerminal() bool { return true }

func isTerminal(stream any) bool {
	switch f := stream.(type) {
	case interface{ IsTerminal() bool }:
		return f.IsTerminal()
	case *os.File:
		return f != nil && xterm.IsTerminal(int(f.Fd()))
	}
	return false
}
