package secrets

import (
	"slices"
	"strings"
)

// look finds the keywords in a text, in any case, in one pass over its pairs of bytes: nearly no
// pair begins a keyword.
type look struct {
	words []string     // the keywords of gitleaks' rules, then those of each of our own rules
	from  []int        // where the words of each of our own rules begin, and their end
	class [256]uint8   // the class of each byte: 0 if no keyword has it, otherwise a number below classes
	first [4096]uint16 // by two classes: a word that begins so, counted from 1
	next  []uint16     // by word: another one that begins so
}

const classes = 64

// found has which words a text contains.
type found []bool

// holds reports whether a text contains one of the words of a rule of our own.
func (l *look) holds(f found, rule int) bool {
	return slices.Contains(f[l.from[rule]:l.from[rule+1]], true)
}

// ours reports whether a text contains any word of our own rules.
func (f found) ours() bool { return slices.Contains(f[len(keywords):], true) }

func newLook() *look {
	l := &look{words: keywords[:], from: []int{len(keywords)}}
	for i := range len(own) + len(keys) {
		l.words = append(l.words, ownRule(i).words...)
		l.from = append(l.from, len(l.words))
	}
	n := uint8(0)
	for _, w := range l.words {
		for i := range len(w) {
			c := w[i]
			if l.class[c] != 0 {
				continue
			}
			n++
			if n == classes {
				panic("the keywords hold more than 63 characters")
			}
			l.class[c] = n
			if 'a' <= c && c <= 'z' {
				l.class[c-'a'+'A'] = n
			}
		}
	}
	l.next = make([]uint16, len(l.words))
	for i, w := range l.words {
		pair := l.pair(w, 0)
		l.next[i] = l.first[pair]
		l.first[pair] = uint16(i + 1)
	}
	return l
}

func (l *look) pair(text string, i int) int {
	return int(l.class[text[i]])*classes + int(l.class[text[i+1]])
}

// in returns the words that a text contains, and reports whether there are any.
func (l *look) in(text string) (f found, any bool) {
	f = make(found, len(l.words))
	if strings.Contains(text, "\u212a") || strings.Contains(text, "\u0130") {
		text = strings.ToLower(text) // the two characters beyond ASCII with a lower case in ASCII: k and i
	}
	for i := 0; i+1 < len(text); i++ {
		for k := l.first[l.pair(text, i)]; k != 0; k = l.next[k-1] {
			if !f[k-1] && l.at(text[i:], l.words[k-1]) {
				f[k-1], any = true, true
			}
		}
	}
	return f, any
}

// at reports whether a text begins with a word.
func (l *look) at(text, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := 2; i < len(word); i++ {
		if l.class[text[i]] != l.class[word[i]] {
			return false
		}
	}
	return true
}
