package term

import (
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/text"
)

// Plain returns s as text that a terminal only displays. It removes or replaces:
//
//   - whole escape sequences: CSI, OSC, DCS, APC, PM, SOS and those of two characters, which begin
//     with ESC or with an 8-bit control (a rune or a single byte);
//   - every control character except \n and \t, so that \r\n becomes \n;
//   - the Unicode controls that change the direction of text, and invalid UTF-8, which become a
//     visible U+FFFD.
//
// A sequence without an end stops at the end of its line, so that it does not hide the rest of
// a document. Plain(Plain(s)) is Plain(s).
func Plain(s string) string { return clean(s, false) }

// PlainKeepColor does the work of Plain, but keeps colours and weights (CSI ... m). It is for text
// that our own code has coloured.
func PlainKeepColor(s string) string { return clean(s, true) }

func clean(s string, keepColor bool) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, isControl) {
		return s
	}
	return controls.Get().ReplaceAllStringFunc(valid(s), func(found string) string {
		first, size := utf8.DecodeRuneInString(found)
		switch {
		case isBidi(first):
			return string(utf8.RuneError)
		case keepColor && color.Get().MatchString(found):
			return "\x1b[" + strings.TrimPrefix(found[size:], "[")
		}
		return ""
	})
}

// controls matches sequences as a terminal parses them (ECMA-48; https://vt100.net/emu/dec_ansi_parser), and the
// characters for which isControl is true. A control string (OSC, DCS ...) ends with BEL, CAN or SUB, at the end of the
// line, or where another sequence begins, such as ST.
var controls = text.Regexp(
	`(?:\x1b[ -/]*\[|\x{9b})[ -?]*[@-~]?` + // CSI
		`|(?:\x1b[ -/]*[\]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\n\x07\x18\x1a\x1b\x{80}-\x{9f}]*[\x07\x18\x1a]?` + // OSC, DCS, ...
		`|\x1b[ -/]*[0-~]?` +
		`|[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

// color matches the sequences that set colours: CSI ... m with numbers. Others, such as ESC [ > ... m, change how keys
// are reported.
var color = text.Regexp(`^(?:\x1b\[|\x{9b})[0-9;:]*m$`)

// valid returns s as UTF-8. Like a terminal without UTF-8, it takes a single byte from 80 to 9F for a control
// character.
func valid(s string) string {
	var b strings.Builder
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 && s[i] <= 0x9f {
			r = rune(s[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isControl(r rune) bool {
	control := r < ' ' && r != '\n' && r != '\t'
	return control || 0x7f <= r && r <= 0x9f || isBidi(r)
}

// isBidi reports whether a rune is one of the overrides and isolates of "Trojan Source"
// (https://trojansource.codes), which change the order in which text is displayed.
func isBidi(r rune) bool { return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 }
