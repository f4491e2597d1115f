package search

import (
	"unicode"
	"unicode/utf8"
)

// fold is the one rune that stands for all that differ from r in case only, as
// Unicode's simple folding has it: the three sigmas are one, ß is ẞ. The dotted İ,
// which simple folding leaves alone, is an i: who looks for istanbul means it.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		return foldASCII(r)
	}
	if r == 'İ' {
		return 'i'
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return foldASCII(least)
}

func foldASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// exact is the fold of who minds the case.
func exact(r rune) rune { return r }

// forms are the encodings of all runes that fold to r, which is folded.
func forms(r rune) [][]byte {
	all := [][]byte{utf8.AppendRune(nil, r)}
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		all = append(all, utf8.AppendRune(nil, other))
	}
	if r == 'i' {
		all = append(all, []byte("İ"))
	}
	return all
}
