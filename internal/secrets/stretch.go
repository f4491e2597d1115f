package secrets

import (
	"iter"
	"strings"
)

// ahead is how many bytes of a long line are searched for a secret, counted from a word of the rule.
const ahead = 9 << 10

// stretches returns the parts of a text, given in lower case, that may match a rule with these
// words: each line with one of them and the next line. Of a very long line only the part near the
// word is included.
func stretches(lower string, words []string) iter.Seq2[int, int] {
	return func(yield func(start, stop int) bool) {
		for _, w := range words {
			seen := 0
			for at := 0; ; {
				i := strings.Index(lower[at:], w)
				if i < 0 {
					break
				}
				at += i
				next := at + len(w)
				if at >= seen {
					start, stop := around(lower, at)
					if !yield(start, stop) {
						return
					}
					seen = stop
					if stop < len(lower) && lower[stop-1] == '\n' { // the next line begins another part
						line, _, _ := strings.Cut(lower[at:], "\n")
						seen = at + len(line) + 1
					} else if stop-at == ahead {
						seen = at + nearby
					}
				}
				at = next
			}
		}
	}
}

// around returns the line at an offset, and the next one.
func around(text string, at int) (start, stop int) {
	from, to := max(0, at-nearby), min(len(text), at+ahead)
	start, stop = from, to
	if i := strings.LastIndexByte(text[from:at], '\n'); i >= 0 {
		start = from + i + 1
	}
	if i := strings.IndexByte(text[at:to], '\n'); i >= 0 {
		stop = at + i + 1
		if j := strings.IndexByte(text[stop:to], '\n'); j >= 0 {
			stop += j + 1
		} else {
			stop = to
		}
	}
	return start, stop
}

// lowered returns a text with its ASCII letters in lower case. Its length is the same.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// texts returns the texts of the groups of an expression.
func texts(match string, groups []int) []string {
	all := make([]string, len(groups)/2)
	for i := range all {
		if groups[2*i] >= 0 {
			all[i] = match[groups[2*i]:groups[2*i+1]]
		}
	}
	return all
}
