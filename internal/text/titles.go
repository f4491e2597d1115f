package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Titles finds the meaning of a heading by the words with which it begins.
type Titles[T any] map[string]title[T]

type title[T any] struct {
	meaning T
	open    bool // any words may follow
}

// NewTitles parses phrases in lower case, separated by "|". A heading matches a phrase if it equals the phrase, or
// begins with it and a punctuation mark follows: "Next: the parser", "Done (this week)". After a phrase that ends in a
// star any words may follow.
func NewTitles[T comparable](phrases map[T]string) Titles[T] {
	all := Titles[T]{}
	for meaning, list := range phrases {
		for phrase := range strings.SplitSeq(list, "|") {
			phrase = strings.TrimSpace(phrase)
			bare := strings.TrimSuffix(phrase, "*")
			all[bare] = title[T]{meaning, bare != phrase}
		}
	}
	return all
}

// Find returns the meaning of a heading by the longest phrase with which it begins, and
// reports whether the phrase is the whole heading.
func (t Titles[T]) Find(heading string) (meaning T, whole, ok bool) {
	heading = BareTitle(heading)
	if m, ok := t[heading]; ok {
		return m.meaning, true, true
	}
	for end := len(heading); end > 0; {
		end = strings.LastIndexFunc(heading[:end], func(r rune) bool { return !isWordRune(r) })
		if end < 0 {
			break
		}
		m, ok := t[strings.TrimRight(heading[:end], " ")]
		if ok && (m.open || endsWords(heading[end:])) {
			return m.meaning, false, true
		}
	}
	return meaning, false, false
}

// endsWords reports whether rest begins with a punctuation mark that ends the words
// before it.
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
	return OneLine(title)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' }
