package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Titles finds what a heading means by the words it begins with.
type Titles[T any] map[string]title[T]

type title[T any] struct {
	means T
	open  bool // any words may follow
}

// NewTitles reads phrases in lower case, separated by "|". A heading matches a phrase
// where a sign that ends the words follows it: "Next: the parser", "Done (this week)".
// After a phrase that ends in a star any words may follow.
func NewTitles[T comparable](words map[T]string) Titles[T] {
	all := Titles[T]{}
	for means, phrases := range words {
		for phrase := range strings.SplitSeq(phrases, "|") {
			phrase = strings.TrimSpace(phrase)
			bare := strings.TrimSuffix(phrase, "*")
			all[bare] = title[T]{means, bare != phrase}
		}
	}
	return all
}

// Find returns the meaning of a heading: by all its words (whole), else by the most
// words that it begins with.
func (t Titles[T]) Find(heading string) (means T, whole, ok bool) {
	heading = BareTitle(heading)
	if m, ok := t[heading]; ok {
		return m.means, true, true
	}
	for end := len(heading); end > 0; {
		end = strings.LastIndexFunc(heading[:end], func(r rune) bool { return !isWordRune(r) })
		if end < 0 {
			break
		}
		m, ok := t[strings.TrimRight(heading[:end], " ")]
		if ok && (m.open || endsWords(heading[end:])) {
			return m.means, false, true
		}
	}
	return means, false, false
}

// endsWords reports whether what follows some words begins with a sign that ends them.
func endsWords(rest string) bool {
	spaced := strings.TrimLeft(rest, " ")
	r, size := utf8.DecodeRuneInString(spaced)
	if strings.ContainsRune("(:/&+—–,;|[", r) {
		return true
	}
	return (r == '-' || r == '→') && spaced != rest && strings.HasPrefix(spaced[size:], " ")
}

// BareTitle returns a heading in lower case without a number, a symbol or markup around it.
func BareTitle(title string) string {
	title = strings.ToLower(strings.ReplaceAll(title, "’", "'"))
	title = strings.NewReplacer("**", "", "__", "", "`", "").Replace(title)
	title = strings.TrimLeftFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && r != '(' && r != '[' })
	title = strings.TrimRightFunc(title, func(r rune) bool { return !isWordRune(r) && r != ')' && r != ']' })
	return strings.Join(strings.Fields(title), " ")
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' }
