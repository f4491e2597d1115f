package term

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
	if harmless(s) {
		return s
	}
	f := filter{keepColor: keepColor}
	f.out.Grow(len(s))
	f.feed([]byte(s))
	return f.out.String()
}

// harmless reports whether a text is printable ASCII, as most texts are: Plain need not filter
// it.
func harmless(s string) bool {
	for i := range len(s) {
		c := s[i]
		control := c < ' ' && c != '\n' && c != '\t'
		if control || c >= 0x7f {
			return false
		}
	}
	return true
}
