package secrets

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
)

// run is the number of consecutive bytes that identify a part of a secret.
const run = 8

// Discreet returns an error like err whose message and hint contain no secret, not even one that they repeat from the
// given texts; see [Scanner.Hide]. It returns err itself if nothing must be hidden.
func Discreet(err error, given ...string) error {
	s := &Scanner{}
	message, hint := err.Error(), fault.HintOf(err)
	m, h := s.Hide(message, given...), s.Hide(hint, given...)
	if m == message && h == hint {
		return err
	}
	return fault.New(fault.KindOf(err), "%s", m).WithHint("%s", h)
}

// Hide returns a text without its secrets. Given has texts that the text may repeat, in whole or in part,
// in upper or lower case, such as the arguments that an error is about. If a given text contains a secret, Hide
// also removes each part of at least eight bytes that the two texts share.
func (s *Scanner) Hide(text string, given ...string) string {
	hidden := s.hidden(text)
	hide := func(start, stop int) {
		for i := start; i < stop; i++ {
			hidden[i] = true
		}
	}
	lower := lowered(text)
	for _, part := range s.secretParts(given) {
		for at := 0; ; at += len(part) {
			i := strings.Index(lower[at:], part)
			if i < 0 {
				break
			}
			at += i
			hide(at, at+len(part))
		}
		repeated := map[string]bool{}
		for i := 0; i+run <= len(part); i++ {
			repeated[part[i:i+run]] = true
		}
		for i := 0; i+run <= len(lower); i++ {
			if repeated[lower[i:i+run]] {
				hide(i, i+run)
			}
		}
	}
	return cover(text, hidden, "…")
}

// Replace returns a text in which [secret] replaces each secret.
func (s *Scanner) Replace(text string) string { return cover(text, s.hidden(text), "[secret]") }

// hidden reports for each byte of a text whether it belongs to a secret.
func (s *Scanner) hidden(text string) []bool {
	hidden := make([]bool, len(text))
	for _, f := range s.Scan("", text) {
		for i := f.Start; i < f.Stop; i++ {
			hidden[i] = true
		}
	}
	return hidden
}

// cover returns a text in which word replaces each run of hidden bytes.
func cover(text string, hidden []bool, word string) string {
	if !slices.Contains(hidden, true) {
		return text
	}
	var b strings.Builder
	for i, h := range hidden {
		switch {
		case !h:
			b.WriteByte(text[i])
		case i == 0 || !hidden[i-1]:
			b.WriteString(word)
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}

// longestGiven is the maximum number of bytes of a given text that are scanned.
const longestGiven = 64 << 10

// secretParts returns, in lower case, the given texts that contain a secret. It also returns the secrets
// in the given texts joined to one line, such as a password after its option.
func (s *Scanner) secretParts(given []string) []string {
	var parts []string
	for _, g := range given {
		head := g[:min(len(g), longestGiven)]
		if len(s.Scan("", head)) > 0 {
			parts = append(parts, lowered(head))
		}
	}
	line := strings.Join(given, " ")
	line = line[:min(len(line), longestGiven)]
	for _, f := range s.Scan("", line) {
		if f.Stop > f.Start {
			parts = append(parts, lowered(line[f.Start:f.Stop]))
		}
	}
	return parts
}
