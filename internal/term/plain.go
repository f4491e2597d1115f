package term

// Plain is s as harmless text. What a terminal would obey is gone:
//
//   - escape sequences, whole: CSI, OSC, DCS, APC, PM, SOS and the two-character
//     ones, begun by ESC or by an 8-bit control (a rune or a raw byte);
//   - every control character but \n and \t, so \r\n becomes \n;
//   - the Unicode controls that turn the reading direction around, and invalid
//     UTF-8: a visible U+FFFD stands in their place.
//
// A sequence that nobody ended stops at the end of its line, so that it cannot
// swallow the rest of a document. Plain(Plain(s)) is Plain(s).
func Plain(s string) string { return clean(s, false) }

// PlainKeepColor is Plain, except that colours and weights (CSI ... m) stay. It
// is for text that our own code has coloured.
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

// harmless is the quick way for the usual text: printable ASCII.
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
