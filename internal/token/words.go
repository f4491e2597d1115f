package token

import (
	"cmp"
	_ "embed" // for words.txt
	"strings"
	"sync"
)

// wordList holds what both vocabularies know as one token, in three parts: words
// that are one alone and behind a space, words that are one behind a space only,
// words in capitals. A part has a line for each length, in order. A capital that
// begins a word of the first two says that it is one token with it too.
//
//go:embed words.txt
var wordList string

// longest is the length of the longest word.
const longest = 15

// dictionary is a part of the list: its lines by the length of their words.
type dictionary [longest + 1]string

var dictionaries = sync.OnceValue(func() (parts [3]dictionary) {
	for i, part := range strings.SplitN(wordList, "\n\n", len(parts)) {
		for line := range strings.SplitSeq(strings.TrimSuffix(part, "\n"), "\n") {
			length, _, _ := strings.Cut(line, " ")
			parts[i][len(length)] = line
		}
	}
	return parts
})

// letters is a run of ASCII letters, behind a space or not, cut where a small one
// is followed by a capital and where several capitals are followed by a small one:
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

// word is letters of one case, but for a capital that may begin it.
func word(s string, spaced bool) Cost {
	parts := dictionaries()
	alone, behindSpace, capitals := &parts[0], &parts[1], &parts[2]
	known := alone
	if len(s) > 1 && s[1] < 'a' {
		known = capitals
	}
	if len(s) == 1 || known.has(s) || spaced && behindSpace.has(s) {
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
	return c + c/4 + one/2 // they may cut it elsewhere
}

// has reports whether the dictionary has a word, in this case.
func (d *dictionary) has(s string) bool {
	if len(s) > longest {
		return false
	}
	list, stride := d[len(s)], len(s)+1
	low, high := 0, (len(list)+1)/stride
	for low < high {
		mid := (low + high) / 2
		known := list[mid*stride : mid*stride+len(s)]
		switch order := cmp.Or(cmp.Compare(known[0]|0x20, s[0]|0x20), strings.Compare(known[1:], s[1:])); {
		case order == 0:
			return known[0] <= s[0] // a small letter may begin what is listed with a capital
		case order < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return false
}
