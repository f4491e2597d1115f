// Package term is the terminal: the three streams of a process, what they can
// show, and the programs that share them (a pager, the Markdown viewer).
//
// It promises that text from a file reaches a screen only as text: [Plain] lets
// no escape sequence through. It refuses to guess: a stream that is not known to
// be a terminal gets no colour, no pager and no progress line.
//
// The room is linked into a command whose start-up is counted in milliseconds,
// so it draws no Markdown and knows no colour but the four of [Style].
package term

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	xterm "golang.org/x/term"
)

// fallbackWidth is the width where nobody knows it: in a pipe, in a test.
const fallbackWidth = 80

// Streams is what a process reads from and writes to. Make it with [System], or
// with buffers: a buffer is no terminal, unless it says so (see [Screen]).
type Streams struct {
	In  io.Reader // required where something is read
	Out io.Writer // required; the answer
	Err io.Writer // required; the remarks

	// NoColor is the flag --no-color.
	NoColor bool

	// Env is the environment as "NAME=value", the last of a name winning, for the
	// questions below and for the programs that are started. Nil is empty.
	Env []string
}

// System is the streams and the environment of this process.
func System() Streams {
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ()}
}

// InIsTerminal reports whether a person types the input.
func (s Streams) InIsTerminal() bool { return isTerminal(s.In) }

// OutIsTerminal reports whether a person sees the answer.
func (s Streams) OutIsTerminal() bool { return isTerminal(s.Out) }

// ErrIsTerminal reports whether a person sees the remarks.
func (s Streams) ErrIsTerminal() bool { return isTerminal(s.Err) }

// Color reports whether the answer may be coloured: on a terminal that is not
// dumb, unless --no-color or a non-empty NO_COLOR forbids it. Never in a pipe.
func (s Streams) Color() bool { return s.OutIsTerminal() && s.colorWanted() }

// ErrColor is Color for the remarks.
func (s Streams) ErrColor() bool { return s.ErrIsTerminal() && s.colorWanted() }

// Style draws the answer's colours, or none: see [Streams.Color].
func (s Streams) Style() Style { return Style{On: s.Color()} }

// ErrStyle is Style for the remarks.
func (s Streams) ErrStyle() Style { return Style{On: s.ErrColor()} }

// Width is the width of the answer in columns: COLUMNS where it is a positive
// number, else what the terminal says, else 80, as in every pipe.
func (s Streams) Width() int { return s.widthOf(s.Out) }

func (s Streams) widthOf(stream io.Writer) int {
	if n, err := strconv.Atoi(s.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := stream.(*os.File); ok {
		if n, _, err := xterm.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return fallbackWidth
}

func (s Streams) colorWanted() bool {
	return !s.NoColor && s.Getenv("NO_COLOR") == "" && !s.dumb()
}

// dumb reports a terminal that cannot move its cursor, as an editor's shell has.
func (s Streams) dumb() bool { return s.Getenv("TERM") == "dumb" }

// Getenv is the value of a variable of Env; empty where it is not set.
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

// Screen is w as a terminal: a test that wants to see what a person would see
// wraps its buffer in one.
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
