package term

import (
	"io"
)

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
	f.finish()
	return f.out.String()
}

// harmless is the quick way for the usual text: printable ASCII.
func harmless(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

// PlainWriter writes to w what [Plain] would make of all that is written to it,
// however the writes cut it. Close writes what a cut character left behind; it
// does not close w.
func PlainWriter(w io.Writer) io.WriteCloser { return &plainWriter{w: w} }

type plainWriter struct {
	w io.Writer
	f filter
}

func (p *plainWriter) Write(b []byte) (int, error) {
	p.f.feed(b)
	if err := p.flush(); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (p *plainWriter) Close() error {
	p.f.finish()
	return p.flush()
}

func (p *plainWriter) flush() error {
	text := p.f.out.String()
	p.f.out.Reset()
	if text == "" {
		return nil
	}
	_, err := io.WriteString(p.w, text)
	return err
}
