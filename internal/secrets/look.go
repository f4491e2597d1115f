package secrets

import (
	"slices"
	"strings"
)

// look finds the keywords in a text, in upper or lower case, in one pass over its pairs of
// bytes: nearly no pair begins a keyword.
type look struct {
	words [mostWords]word
	class [256]uint8   // the byte's class: 0 for those in no keyword, else below classes
	first [4096]uint16 // by two classes: the first keyword that begins so, counted from 1
}

// word is a keyword with its number: its place in keywords, or, behind those, in
// ownWords.
type word struct {
	text   string
	number int
}

const (
	classes   = 64
	mostWords = len(keywords) + len(ownWords)
)

// found has which keywords a text contains, by their numbers.
type found [mostWords]bool

// gather merges the keywords of gitleaks' rules and the words of ours, both sorted.
func (l *look) gather() {
	i, j := 0, 0
	for n := range l.words {
		if j == len(ownWords) || i < len(keywords) && keywords[i] <= ownWords[j] {
			l.words[n] = word{keywords[i], i}
			i++
		} else {
			l.words[n] = word{ownWords[j], len(keywords) + j}
			j++
		}
	}
}

// holds reports whether a text contains one of the words of an own rule.
func (f *found) holds(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		j, ok := slices.BinarySearch(ownWords[:], w)
		return ok && f[len(keywords)+j]
	})
}

// ours reports whether a text contains any word of the own rules.
func (f *found) ours() bool { return slices.Contains(f[len(keywords):], true) }

func newLook() *look {
	l := &look{}
	l.gather()
	n := uint8(0)
	for _, w := range l.words {
		for i := range len(w.text) {
			c := w.text[i]
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
	for i := len(l.words) - 1; i >= 0; i-- {
		l.first[l.pair(l.words[i].text, 0)] = uint16(i + 1)
	}
	return l
}

func (l *look) pair(text string, i int) int {
	return int(l.class[text[i]])*classes + int(l.class[text[i+1]])
}

// in returns the keywords that a text contains, and reports whether there are any.
func (l *look) in(text string) (f found, any bool) {
	if strings.Contains(text, "\u212a") || strings.Contains(text, "\u0130") {
		text = strings.ToLower(text) // the only two beyond ASCII whose lower case is ASCII: k and i
	}
	for i := 0; i+1 < len(text); i++ {
		k := l.first[l.pair(text, i)]
		if k == 0 {
			continue
		}
		for k--; int(k) < len(l.words) && l.pair(l.words[k].text, 0) == l.pair(text, i); k++ {
			if w := l.words[k]; !f[w.number] && l.at(text[i:], w.text) {
				f[w.number], any = true, true
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
