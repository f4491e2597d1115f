package secrets

import "strings"

// look finds the keywords in a text, in upper or lower case, in one pass that
// looks at two bytes at a time: nearly all pairs begin no keyword.
type look struct {
	class [256]uint8   // the byte's class: 0 for those in no keyword, else below classes
	first [4096]uint16 // by two classes: the first keyword that begins so, counted from 1
}

const classes = 64

func newLook() *look {
	l := &look{}
	n := uint8(0)
	for _, word := range keywords {
		for i := range len(word) {
			c := word[i]
			if l.class[c] != 0 {
				continue
			}
			if n++; n == classes {
				panic("the keywords hold more than 63 characters")
			}
			l.class[c] = n
			if 'a' <= c && c <= 'z' {
				l.class[c-'a'+'A'] = n
			}
		}
	}
	for i := len(keywords) - 1; i >= 0; i-- {
		l.first[l.pair(keywords[i], 0)] = uint16(i + 1)
	}
	return l
}

func (l *look) pair(text string, i int) int {
	return int(l.class[text[i]])*classes + int(l.class[text[i+1]])
}

// in is the keywords that a text holds, by their numbers, and whether there are any.
func (l *look) in(text string) (found [len(keywords)]bool, any bool) {
	if strings.Contains(text, "\u212a") || strings.Contains(text, "\u0130") {
		text = strings.ToLower(text) // the only two beyond ASCII whose lower case is ASCII: k and i
	}
	for i := 0; i+1 < len(text); i++ {
		k := l.first[l.pair(text, i)]
		if k == 0 {
			continue
		}
		for k--; int(k) < len(keywords) && l.pair(keywords[k], 0) == l.pair(text, i); k++ {
			if !found[k] && l.at(text[i:], keywords[k]) {
				found[k], any = true, true
			}
		}
	}
	return found, any
}

// at says whether a text begins with a word.
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
