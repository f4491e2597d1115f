// Package token estimates how many tokens a text takes. Tests compare the estimate with the
// vocabularies cl100k and o200k: for the texts of the tests it is never below the number of
// tokens in either, and for English Markdown at most a quarter above.
//
// A tokenizer would add megabytes to the program and milliseconds to its start. An estimate by the
// number of bytes or words is too low for code, identifiers and other scripts, or twice too high for
// prose. So this package divides a text as both vocabularies do. A word that both have (words.txt) is
// one token, with or without the space before it. Another word is divided into such words. Three digits
// are one token. A punctuation mark is one token, except in frequent pairs and rows. A rune that is not
// in both vocabularies is one token for each of its bytes.
package token

import (
	"strings"
	"unicode/utf8"
)

// Cost is an estimate in half tokens. The cost of a text is the sum of the costs of its lines,
// line breaks included, so that the costs of parts can be added.
type Cost int

// one is the cost of a token.
const one Cost = 2

// Tokens returns the cost in whole tokens, rounded up.
func (c Cost) Tokens() int { return int(c+one-1) / int(one) }

// Estimate returns the estimated number of tokens of s, which is rarely too low.
func Estimate(s string) int { return Of(s).Tokens() }

// Of returns the cost of a text.
func Of(s string) Cost {
	var c Cost
	for at := 0; at < len(s); {
		before := byte('\n')
		if at > 0 {
			before = s[at-1]
		}
		n, cost := next(s[at:], before)
		c += cost
		at += n
	}
	return c
}

// class is the class of a byte.
type class uint8

const (
	other class = iota // control characters and punctuation
	letter
	digit
	space // white space within a line
	lineEnd
	wide // part of a rune outside ASCII
)

func classOf(b byte) class {
	switch {
	case 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z':
		return letter
	case '0' <= b && b <= '9':
		return digit
	case b == ' ' || b == '\t':
		return space
	case b == '\n':
		return lineEnd
	case b >= utf8.RuneSelf:
		return wide
	}
	return other
}

// run returns how many bytes at the start of s are of a class.
func run(s string, of class) int {
	n := 1
	for n < len(s) && classOf(s[n]) == of {
		n++
	}
	return n
}

// next returns the length and the cost of the first run of s. Before is the byte that precedes s in the text.
func next(s string, before byte) (int, Cost) {
	switch classOf(s[0]) {
	case letter:
		n := run(s, letter)
		return n, letters(s[:n], before == ' ')
	case digit:
		n := run(s, digit)
		return n, Cost(n+2) / 3 * one
	case space:
		return spaces(s)
	case lineEnd:
		if before == '\n' {
			return 1, one / 2 // usually one token together with the line break before it
		}
		return 1, one
	case wide:
		r, n := utf8.DecodeRuneInString(s)
		return n, runeCost(r, n)
	}
	n := run(s, other)
	endsLine := s[0] > ' ' && strings.IndexByte("&<[^\x7f", s[0]) < 0
	if endsLine && n == 1 && strings.HasPrefix(s[1:], "\n") {
		return 2, one // one token together with the line break
	}
	if s[0] == '\'' && n == 1 && before != ' ' {
		return 1, 2 * one // cl100k divides 'made into 'm and ade
	}
	return n, marks(s[:n])
}

// spaces returns the length and the cost of white space within a line. The last space is part
// of the next token if that is possible.
func spaces(s string) (int, Cost) {
	n := run(s, space)
	c := blanks(s[:n-1])
	if n == len(s) || s[n-1] != ' ' || !goesWithSpace(s[n:]) {
		c += one
	}
	return n, c
}

// goesWithSpace reports whether s forms one token with a space before it.
func goesWithSpace(s string) bool {
	if classOf(s[0]) != other {
		return classOf(s[0]) == letter
	}
	n := run(s, other)
	return n == 1 && s[0] > ' ' && s[0] < 0x7f || n == 2 && strings.Contains(spacedPairs, s[:2]+" ")
}

// blanks returns the cost of white space: sixteen equal characters are one token.
func blanks(s string) Cost {
	var c Cost
	for at := 0; at < len(s); {
		n := 1
		for at+n < len(s) && s[at+n] == s[at] && n < 16 {
			n++
		}
		c += one
		at += n
	}
	return c
}
