package search

import (
	"unicode"
	"unicode/utf8"
)

// fold returns the rune that represents all runes that differ from r only in case, by Unicode's
// simple folding: the three sigmas are one, ß is ẞ. The dotted İ, which simple folding does not
// change, counts as i, so that istanbul finds it.
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

// exact returns r unchanged.
func exact(r rune) rune { return r }

// forms returns the encodings of all runes that fold to r.
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
