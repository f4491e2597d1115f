package token

import (
	"cmp"
	_ "embed" // needed for words.txt
	"strings"

	"example.com/ckpt/internal/text"
)

// wordList has the words that are one token in both vocabularies, in three parts: those that
// are one token alone and after a space, those that are one only after a space, and those in
// capitals. A part has a sorted line for each length. A word of the first two parts that
// begins with a capital is one token in small letters, too.
//
//go:embed words.txt
var wordList string

// longest is the length of the longest word.
const longest = 15

// dictionary is a part of the list: its lines by the length of their words.
type dictionary [longest + 1]string

var dictionaries = text.Lazy[[3]dictionary]{Make: func() (parts [3]dictionary) {
	for i, part := range strings.SplitN(wordList, "\n\n", len(parts)) {
		for line := range strings.SplitSeq(strings.TrimSuffix(part, "\n"), "\n") {
			length, _, _ := strings.Cut(line, " ")
			parts[i][len(length)] = line
		}
	}
	return parts
}}

// letters returns the cost of a run of ASCII letters; spaced tells whether a space precedes it. The
// run is divided between a small letter and a capital, and before the last of several capitals:
// HTTPServer.
func letters(s string, spaced bool) Cost {
	var c Cost
	for ; len(s) > 0; spaced = false {
		capitals := 0
		for capitals < len(s) && s[capitals] < 'a' {
			capitals++
		}
		n := capitals
		switch {
		case capitals < 2:
			for n < len(s) && s[n] >= 'a' {
				n++
			}
		case n < len(s):
			n--
		}
		c += word(s[:n], spaced)
		s = s[n:]
	}
	return c
}

// word returns the cost of letters that are all small or all capitals, except that the first may be a capital.
func word(s string, spaced bool) Cost {
	parts := dictionaries.Get()
	alone, behindSpace, capitals := &parts[0], &parts[1], &parts[2]
	known := alone
	if len(s) > 1 && s[1] < 'a' {
		known = capitals
	}
	spaced = spaced && behindSpace.has(s)
	if len(s) == 1 || spaced || known.has(s) {
		return one
	}
	var c Cost
	for at := 0; at < len(s); c += one {
		n := min(len(s)-at, longest)
		for n > 1 && !known.has(s[at:at+n]) {
			n--
		}
		at += n
	}
	return c + c/4 + one/2 // the vocabularies may divide the word into more parts
}

// has reports whether the dictionary has a word with these capital and small letters.
func (d *dictionary) has(s string) bool {
	if len(s) > longest {
		return false
	}
	list, stride := d[len(s)], len(s)+1
	low, high := 0, (len(list)+1)/stride
	for low < high {
		mid := (low + high) / 2
		known := list[mid*stride : mid*stride+len(s)]
		order := cmp.Or(cmp.Compare(known[0]|0x20, s[0]|0x20), strings.Compare(known[1:], s[1:]))
		switch {
		case order == 0:
			return known[0] <= s[0] // a capital in the list also matches a small letter
		case order < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return false
}
