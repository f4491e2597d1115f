package drift

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Holds says whether a text holds an identifier as a word of its own.
func Holds(src []byte, symbol string) bool {
	for at := 0; symbol != ""; {
		i := bytes.Index(src[at:], []byte(symbol))
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRune(src[:at])
		at += len(symbol)
		after, _ := utf8.DecodeRune(src[at:])
		if !isWord(before) && !isWord(after) {
			return true
		}
	}
	return false
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
