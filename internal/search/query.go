package search

import (
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/fault"
)

// Case says whether upper and lower case differ.
type Case int

// The cases. Prose is searched without regard to it: what is missed costs more than
// a hit too many.
const (
	AnyCase Case = iota
	ExactCase
)

// most is how many terms a query may have: a mask of them fits in a word.
const most = 64

// Query is what has to be there: every one of its terms.
type Query struct {
	terms []term
	rare  []int // the terms, those first that the fewest texts hold
}

// Parse reads texts as a person types them. White space separates words; what
// stands between double quotes is one phrase, in which white space stands for any
// white space, a line break included. A quote opens a phrase at the start of a word
// only, and closes it only at the end of one: any other is a character like all the
// rest, and nothing else has a meaning of its own.
func Parse(sensitive Case, texts ...string) (Query, error) {
	var q Query
	seen := map[string]bool{}
	for _, text := range texts {
		for _, t := range split(text) {
			if !seen[t] {
				seen[t] = true
				q.terms = append(q.terms, newTerm(t, sensitive))
			}
		}
	}
	switch {
	case len(q.terms) == 0:
		return q, fault.New(fault.Usage, "there is no word to search for").WithHint(`ckpt search WORD "\"A PHRASE\""`)
	case len(q.terms) > most:
		return q, fault.New(fault.Usage, "%d words are too many to search for: %d at most", len(q.terms), most).WithHint("put a phrase between double quotes")
	}
	for i := range q.terms {
		q.rare = append(q.rare, i)
	}
	slices.SortStableFunc(q.rare, func(i, j int) int { return q.terms[j].rarity - q.terms[i].rarity })
	return q, nil
}

// Terms are the words and phrases, as typed.
func (q Query) Terms() []string {
	all := make([]string, len(q.terms))
	for i, t := range q.terms {
		all[i] = t.text
	}
	return all
}

// Holds says whether all terms stand somewhere in a text. It is quick, and it is
// exact: a file that holds them need not have a hit where only parts are searched,
// but one that does not has none.
func (q Query) Holds(src []byte) bool {
	for _, i := range q.rare {
		if !q.terms[i].in(src) {
			return false
		}
	}
	return true
}

// split cuts a text into words and phrases; the white space of a phrase is single.
func split(text string) []string {
	var all []string
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return all
		}
		if phrase, rest, ok := phrase(text); ok {
			if phrase = strings.Join(strings.Fields(phrase), " "); phrase != "" {
				all = append(all, phrase)
			}
			text = rest
			continue
		}
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		all = append(all, text[:end])
		text = text[end:]
	}
}

// phrase is what stands between the quotes that text begins with, if it does.
func phrase(text string) (phrase, rest string, ok bool) {
	inner, ok := strings.CutPrefix(text, `"`)
	for at := 0; ok; {
		i := strings.IndexByte(inner[at:], '"')
		if i < 0 {
			break
		}
		at += i + 1
		if rest := inner[at:]; rest == "" || strings.IndexFunc(rest, unicode.IsSpace) == 0 {
			return inner[:at-1], rest, true
		}
	}
	return "", text, false
}
