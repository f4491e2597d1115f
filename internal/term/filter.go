package term

import (
	"strings"
	"unicode/utf8"
)

// filter is the machine behind Plain. It reads runes and walks through the states
// of a terminal's parser (ECMA-48; https://vt100.net/emu/dec_ansi_parser).
type filter struct {
	out       strings.Builder
	keepColor bool
	state     state
	params    []byte // of the CSI sequence under way, if keepColor
}

type state int

const (
	inText    state = iota
	inEscape        // after ESC
	inControl       // within CSI
	inString        // within OSC, DCS, APC, PM or SOS, up to BEL or ST
)

func (f *filter) feed(b []byte) {
	for len(b) > 0 {
		b = b[f.take(b):]
	}
}

// take steps over the first rune of b and returns its length. A raw byte from 80
// to 9F is the control that it would be on a terminal without UTF-8.
func (f *filter) take(b []byte) int {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 && isC1(rune(b[0])) {
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
		f.begin(r - 0x40) // 8-bit controls are ESC and this character
	case r == '\n':
		f.state = inText
		f.out.WriteRune(r)
	case f.state == inText:
		f.text(r)
	case f.state == inString:
		if r == 0x07 || r == 0x18 || r == 0x1a { // BEL; CAN and SUB cancel
			f.state = inText
		}
	case f.state == inEscape:
		f.escape(r)
	case f.state == inControl:
		f.control(r)
	}
}

// text writes one rune, if it is one that only shows.
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
	case r >= 0x20 && r <= 0x2f: // more of it to come
	case r >= 0x30 && r <= 0x7e:
		f.begin(r)
	default:
		f.state = inText
		f.text(r)
	}
}

// begin enters the sequence that ESC and r introduce.
func (f *filter) begin(r rune) {
	switch r {
	case '[':
		f.state = inControl
		f.params = f.params[:0]
	case ']', 'P', '_', '^', 'X':
		f.state = inString
	default: // complete in itself; ST too
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
	default: // not a sequence after all: what follows is text
		f.state = inText
		f.text(r)
	}
}

// isColor reports parameters that are numbers only: ESC [ > ... m and the like
// change how keys are reported, not how text looks.
func isColor(params []byte) bool {
	for _, c := range params {
		if strings.IndexByte("0123456789;:", c) < 0 {
			return false
		}
	}
	return true
}

func isC1(r rune) bool { return r >= 0x80 && r <= 0x9f }

// isBidi reports the overrides and isolates behind "Trojan Source"
// (https://trojansource.codes): they show text in another order than it has.
func isBidi(r rune) bool {
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}
