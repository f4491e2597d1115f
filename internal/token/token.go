// Package token estimates how many tokens a text takes, without a tokenizer: one
// would add megabytes and milliseconds. The estimate leans high. Tests hold it
// against cl100k and o200k; it is never below either, and on English Markdown at
// most a quarter above.
//
// It goes by how both vocabularies cut a text: a word that both know whole is one
// token, with or without the space before it (words.txt); an unknown word is the
// pieces that they know; three digits are one, a run of punctuation is its pairs,
// and a rune that is in neither vocabulary is its bytes.
package token

import (
	"unicode/utf8"
)

// Cost is an estimate in half tokens. The cost of a text is the sum of the costs
// of its lines, line breaks included, so that what is put together from whole
// lines need not be read again.
type Cost int

// one is the cost of a token.
const one Cost = 2

// Tokens is the cost in whole tokens, rounded up.
func (c Cost) Tokens() int { return int(c+one-1) / int(one) }

// Estimate is how many tokens s takes at most.
func Estimate(s string) int { return Of(s).Tokens() }

// Of is the cost of a text.
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

// class is what a byte belongs to.
type class uint8

const (
	other class = iota // control characters and punctuation
	letter
	digit
	space // within a line
	lineEnd
	wide // of a rune outside ASCII
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

// run is how many of the first bytes of s are of the class.
func run(s string, of class) int {
	n := 1
	for n < len(s) && classOf(s[n]) == of {
		n++
	}
	return n
}

// next is the length and the cost of what s begins with, behind the byte before.
func next(s string, before byte) (int, Cost) {
	switch kind := classOf(s[0]); kind {
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
			return 1, one / 2 // most often one token with the line break before it
		}
		return 1, one
	case wide:
		r, n := utf8.DecodeRuneInString(s)
		return n, runeCost(r, n)
	}
	n := run(s, other)
	switch {
	case n == 1 && len(s) > 1 && s[1] == '\n' && endsLine(s[0]):
		return 2, one // one token with the line break
	case s[0] == '\'' && n == 1 && before != ' ' && contraction(s[1:]) > 0:
		end := 1 + contraction(s[1:])
		if classOf(before) == letter && (end == len(s) || classOf(s[end]) != letter) {
			return end, one // it's
		}
		return 1, 2 * one // cl100k cuts 'made behind the m
	}
	return n, marks(s[:n])
}

// spaces is white space within a line. The last space goes with what follows it,
// if it can, and else stands alone.
func spaces(s string) (int, Cost) {
	n := run(s, space)
	c := blanks(s[:n-1])
	if n == len(s) || s[n-1] != ' ' || !goesWithSpace(s[n:]) {
		c += one
	}
	return n, c
}

// goesWithSpace reports whether what s begins with takes no more tokens with a space
// before it.
func goesWithSpace(s string) bool {
	switch classOf(s[0]) {
	case letter:
		return true
	case wide:
		r, _ := utf8.DecodeRuneInString(s)
		return isKnown(spacedRunes, r)
	case other:
		n := run(s, other)
		return s[0] > ' ' && s[0] < 0x7f && (n == 1 || n == 2 && isPair(spacedPairs, s[:2]))
	}
	return false
}

// blanks is a run of white space: sixteen of a kind are one token.
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
