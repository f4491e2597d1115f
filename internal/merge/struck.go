package merge

import (
	"slices"
	"strings"
)

// A decision that is superseded is struck through, with what took its place behind an
// arrow: "~~**A**: why~~ → **B**". Where both sides superseded it both successors are
// named: "~~**A**: why~~ → **B**, → **C**".
const (
	strike    = "~~"
	arrow     = "~~ → "
	nextArrow = ", → "
)

// struck merges two versions of a decision that differ, at least one of which is struck
// through: into one entry with the successors of both, and with the words that a side
// changed. It reports false where neither is struck, where both changed the words, or
// where a version has more than one line.
func struck(base *entry, a, b entry) (entry, bool) {
	if b.struck && !a.struck {
		a, b = b, a
	}
	if !a.struck || a.family != item || b.family != item || strings.Contains(a.text+b.text, "\n") {
		return a, false
	}
	mark, said, by, ok := a.successors()
	_, other, more, known := b.successors()
	was := ""
	if base != nil {
		_, was, _, _ = base.successors()
	}
	if !ok || b.struck && !known || said != other && said != was && other != was {
		return a, false
	}
	for _, name := range more {
		if !slices.Contains(by, name) {
			by = append(by, name)
		}
	}
	slices.Sort(by)
	text := strike + threeWay(was, said, other, true) + arrow + strings.Join(by, nextArrow)
	a.text, a.key = mark+text, "item "+plain(text)
	return a, true
}

// successors splits a list item into its marker, what is decided and, if it is struck
// through with an arrow behind, what took its place.
func (e entry) successors() (mark, said string, by []string, ok bool) {
	mark, text := marker(e.text)
	if !e.struck {
		return mark, text, nil, false
	}
	said, names, ok := strings.Cut(strings.TrimPrefix(text, strike), arrow)
	return mark, said, strings.Split(names, nextArrow), ok && strings.HasPrefix(text, strike)
}

// marker splits a list item into its marker and its text.
func marker(item string) (mark, text string) {
	text = strings.TrimLeft(item, " ")
	if digits := strings.TrimLeft(text, "0123456789"); text != "" {
		text = strings.TrimLeft(digits[min(1, len(digits)):], " \t")
	}
	return item[:len(item)-len(text)], text
}
