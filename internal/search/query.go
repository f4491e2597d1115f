package search

import (
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/fault"
)

// Case tells whether upper and lower case are distinguished.
type Case int

// The choices. By default case is ignored: a missed hit is worse than a superfluous one.
const (
	AnyCase Case = iota
	ExactCase
)

// most is the maximal number of terms in a query, so that a mask of them fits in a word.
const most = 64

// Query has the terms that a file must contain.
type Query struct {
	terms []term
	rare  []int // indexes of the terms, the rarest first
}

// Parse parses texts as a person types them. White space separates words. A text in double
// quotes is one phrase, in which white space matches any white space, a line break included.
// Only a quote at the start of a word opens a phrase, and only one at the end of a word
// closes it. All other characters are literal.
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
		return q, fault.New(fault.Usage, "%d words are too many to search for: %d at most", len(q.terms), most).
			WithHint("put a phrase between double quotes")
	}
	for i := range q.terms {
		q.rare = append(q.rare, i)
	}
	slices.SortStableFunc(q.rare, func(i, j int) int { return q.terms[j].rarity - q.terms[i].rarity })
	return q, nil
}

// Terms returns the words and phrases, as they were typed.
func (q Query) Terms() []string {
	all := make([]string, len(q.terms))
	for i, t := range q.terms {
		all[i] = t.text
	}
	return all
}

// Holds reports whether a text contains all terms. It is fast and never wrong: a text without them
// has no hit.
func (q Query) Holds(src []byte) bool {
	lacks := func(i int) bool {
		for range q.terms[i].all(src) {
			return false
		}
		return true
	}
	return !slices.ContainsFunc(q.rare, lacks)
}

// split divides a text into words and phrases, with single spaces.
func split(text string) []string {
	var all []string
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return all
		}
		if phrase, rest, ok := phrase(text); ok {
			if words := strings.Fields(phrase); len(words) > 0 {
				all = append(all, strings.Join(words, " "))
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

// phrase returns the quoted text with which text begins, if it begins with one.
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
