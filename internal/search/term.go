package search

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
)

// term is one word or phrase.
//
// It is found by its anchor, the rune that is rarest in prose: [bytes.Index] finds the bytes of
// the anchor, in upper and lower case, and then the runes around it are compared.
type term struct {
	text   string
	runes  []rune // in folded form; a space matches any white space
	anchor int    // the index of the anchor in runes
	forms  [][]byte
	rarity int
	fold   func(rune) rune
}

func newTerm(text string, sensitive Case) term {
	t := term{text: text, fold: fold, rarity: -1}
	if sensitive == ExactCase {
		t.fold = exact
	}
	for _, r := range text {
		t.runes = append(t.runes, t.fold(r))
	}
	for i, r := range t.runes {
		of := [][]byte{utf8.AppendRune(nil, r)}
		if sensitive == AnyCase {
			of = forms(r)
		}
		if rare := rarity(r, of); rare > t.rarity && r != ' ' {
			t.anchor, t.forms, t.rarity = i, of, rare
		}
	}
	return t
}

// commonest are the characters of English Markdown, the most frequent first.
const commonest = " etaoinsrhldcumpfgwyb-.vk,`|:*/_()0123456789\"'#xjqz"

// rarity returns a larger value for a rarer rune. A rune with more than two forms counts as more
// frequent, since each form takes a search.
func rarity(r rune, forms [][]byte) int {
	rank := strings.IndexRune(commonest, r)
	if rank < 0 {
		rank = len(commonest)
	}
	return max(0, rank-20*max(0, len(forms)-2))
}

// all returns the places of the term, in order, without overlaps.
func (t *term) all(src []byte) iter.Seq[doc.Span] {
	return func(yield func(doc.Span) bool) {
		var few [4]int
		next := append(few[:0], make([]int, len(t.forms))...)
		for i := range next {
			next[i] = index(src, t.forms[i], 0)
		}
		for end := 0; ; {
			first := 0
			for i, at := range next {
				if at < next[first] {
					first = i
				}
			}
			at := next[first]
			if at == len(src) {
				return
			}
			next[first] = index(src, t.forms[first], at+1)
			s, ok := t.around(src, at, at+len(t.forms[first]))
			if ok && s.Start >= end {
				end = s.End
				if !yield(s) {
					return
				}
			}
		}
	}
}

// index returns the first place of form in src from an offset on, or the end.
func index(src, form []byte, from int) int {
	i := -1
	if len(form) == 1 {
		i = bytes.IndexByte(src[from:], form[0])
	} else {
		i = bytes.Index(src[from:], form)
	}
	if i < 0 {
		return len(src)
	}
	return from + i
}

// around compares the text before start and after end with the runes of the term around its anchor.
func (t *term) around(src []byte, start, end int) (doc.Span, bool) {
	for i := t.anchor - 1; i >= 0; i-- {
		if t.runes[i] == ' ' {
			n := gapBefore(src[:start])
			if n == 0 {
				return doc.Span{}, false
			}
			start -= n
			continue
		}
		r, n := utf8.DecodeLastRune(src[:start])
		if n == 0 || t.fold(r) != t.runes[i] {
			return doc.Span{}, false
		}
		start -= n
	}
	for _, want := range t.runes[t.anchor+1:] {
		if want == ' ' {
			n := gap(src[end:])
			if n == 0 {
				return doc.Span{}, false
			}
			end += n
			continue
		}
		r, n := utf8.DecodeRune(src[end:])
		if n == 0 || t.fold(r) != want {
			return doc.Span{}, false
		}
		end += n
	}
	return doc.Span{Start: start, End: end}, true
}

// gap returns the length of the white space at the start of text. It is 0 if that white space
// contains a blank line, which ends a paragraph.
func gap(text []byte) int {
	n, lines := 0, 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !unicode.IsSpace(r) {
			break
		}
		n += size
		if r == '\n' {
			lines++
		}
	}
	if lines > 1 {
		return 0
	}
	return n
}

// gapBefore returns the length of the white space at the end of text. It is 0 if that white space
// contains a blank line.
func gapBefore(text []byte) int {
	n := len(text)
	for n > 0 {
		r, size := utf8.DecodeLastRune(text[:n])
		if !unicode.IsSpace(r) {
			break
		}
		n -= size
	}
	return gap(text[n:])
}
