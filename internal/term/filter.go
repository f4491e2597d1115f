package term

import (
	"strings"
	"unicode/utf8"
)

// filter removes terminal sequences for Plain. It reads runes and is a state machine like the
// parser of a terminal (ECMA-48; https://vt100.net/emu/dec_ansi_parser).
type filter struct {
	out       strings.Builder
	keepColor bool
	state     state
	params    []byte // the parameters of the current CSI sequence, if keepColor is set
}

type state int

const (
	inText    state = iota
	inEscape        // after ESC
	inControl       // within CSI
	inString        // within OSC, DCS, APC, PM or SOS, until BEL or ST
)

func (f *filter) feed(b []byte) {
	for len(b) > 0 {
		b = b[f.take(b):]
	}
}

// take processes the first rune of b and returns its length. A single byte from 80 to 9F is a
// control character, as on a terminal without UTF-8.
func (f *filter) take(b []byte) int {
	r, n := utf8.DecodeRune(b)
	if n == 1 && isC1(rune(b[0])) {
		r = rune(b[0])
	}
	f.step(r)
	return n
}

func (f *filter) step(r rune) {
	switch {
	case r == 0x1b:
		f.state = inEscape
	case isC1(r):
		f.begin(r - 0x40) // an 8-bit control means ESC and this character
	case r == '\n':
		f.state = inText
		f.out.WriteRune(r)
	case f.state == inText:
		f.text(r)
	case f.state == inString:
		if r == 0x07 || r == 0x18 || r == 0x1a { // BEL ends a string; CAN and SUB cancel it
			f.state = inText
		}
	case f.state == inEscape:
		f.escape(r)
	case f.state == inControl:
		f.control(r)
	}
}

// text writes a rune, unless it is a control character.
func (f *filter) text(r rune) {
	switch {
	case r < ' ' && r != '\t', r == 0x7f:
	case isBidi(r):
		f.out.WriteRune(utf8.RuneError)
	default:
		f.out.WriteRune(r)
	}
}

func (f *filter) escape(r rune) {
	switch {
	case r >= 0x20 && r <= 0x2f: // the sequence continues
	case r >= 0x30 && r <= 0x7e:
		f.begin(r)
	default:
		f.state = inText
		f.text(r)
	}
}

// begin starts the sequence that ESC and r introduce.
func (f *filter) begin(r rune) {
	switch r {
	case '[':
		f.state = inControl
		f.params = f.params[:0]
	case ']', 'P', '_', '^', 'X':
		f.state = inString
	default: // a complete sequence, also ST
		f.state = inText
	}
}

func (f *filter) control(r rune) {
	switch {
	case r >= 0x20 && r <= 0x3f:
		if f.keepColor {
			f.params = append(f.params, byte(r))
		}
	case r >= 0x40 && r <= 0x7e:
		f.state = inText
		if r == 'm' && f.keepColor && isColor(f.params) {
			f.out.WriteString("\x1b[" + string(f.params) + "m")
		}
	default: // not a sequence; text follows
		f.state = inText
		f.text(r)
	}
}

// isColor reports whether all parameters are numbers. Sequences such as ESC [ > ... m change
// how keys are reported, and not how text looks.
func isColor(params []byte) bool {
	for _, c := range params {
		if strings.IndexByte("0123456789;:", c) < 0 {
			return false
		}
	}
	return true
}

func isC1(r rune) bool { return r >= 0x80 && r <= 0x9f }

// isBidi reports whether a rune is one of the overrides and isolates of "Trojan Source"
// (https://trojansource.codes), which change the order in which text is displayed.
func isBidi(r rune) bool {
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}
