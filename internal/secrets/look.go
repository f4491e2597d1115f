package secrets

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/text"
)

// wordFinder finds the words of all rules in one pass over a text. It looks up each pair of bytes, since
// few pairs begin a word.
type wordFinder struct {
	words []string
	first [1 << 12]uint16 // by slot: 1 plus the index of the slot's first word; 0 if it has none
	next  []uint16        // by word: 1 plus the index of the next word in the same slot; 0 if there is none
}

// keywords finds the words of all rules.
var keywords = text.Lazy[*wordFinder]{Make: newWordFinder}

func newWordFinder() *wordFinder {
	l := &wordFinder{}
	for _, some := range [...][]rule{rules[:], own[:], keys[:]} {
		for i := range some {
			l.words = append(l.words, some[i].words...)
		}
	}
	slices.Sort(l.words)
	l.words = slices.Compact(l.words)
	l.next = make([]uint16, len(l.words))
	for i, w := range l.words {
		at := slot(w[0], w[1])
		l.next[i], l.first[at] = l.first[at], uint16(i+1)
	}
	return l
}

// slot returns a hash of a pair of bytes.
func slot(a, b byte) int { return int(a&63)<<6 | int(b&63) }

// in returns the words that a text in lower case contains.
func (l *wordFinder) in(lower string) map[string]bool {
	found := map[string]bool{}
	for i := 0; i+1 < len(lower); i++ {
		for k := l.first[slot(lower[i], lower[i+1])]; k != 0; k = l.next[k-1] {
			if word := l.words[k-1]; strings.HasPrefix(lower[i:], word) {
				found[word] = true
			}
		}
	}
	return found
}
