package search

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/fault"
)

// most is the maximum number of terms in a query, so that a set of terms fits in 64 bits.
const most = 64

// Query has the terms that a file must contain.
type Query struct {
	terms []term
}

// term is one word or phrase.
type term struct {
	text string
	expr *regexp.Regexp // finds it in what [lowered] returns
}

// gap matches white space within a phrase, but not a blank line, which ends a paragraph.
const gap = `(?:` + blank + `+\n?` + blank + `*|\n` + blank + `*)`

const blank = `[\t\v\f\r\p{Z}]`

// Parse parses texts as a person types them. White space separates words. A text in double
// quotes is one phrase, in which white space matches any white space, a line break included.
// Only a quote at the start of a word opens a phrase, and only one at the end of a word
// closes it. All other characters are literal.
func Parse(texts ...string) (Query, error) {
	var q Query
	seen := map[string]bool{}
	for _, text := range texts {
		for _, t := range split(text) {
			if seen[t] {
				continue
			}
			seen[t] = true
			words := strings.Fields(string(lowered([]byte(t))))
			for i, word := range words {
				words[i] = regexp.QuoteMeta(word)
			}
			q.terms = append(q.terms, term{t, regexp.MustCompile(strings.Join(words, gap))})
		}
	}
	switch {
	case len(q.terms) == 0:
		return q, fault.New(fault.Usage, "there is no word to search for").WithHint(`ckpt search WORD "\"A PHRASE\""`)
	case len(q.terms) > most:
		return q, fault.New(fault.Usage, "%d words are too many to search for: %d at most", len(q.terms), most).
			WithHint("put a phrase between double quotes")
	}
	return q, nil
}

// lowered returns a text in the form in which it is compared with a query: as [valid] returns it, and in
// lower case. A letter whose lower case takes more or fewer bytes stays, so that offsets are the same.
func lowered(text []byte) []byte {
	lower := bytes.Clone(valid(text))
	for at := 0; at < len(lower); {
		r, size := utf8.DecodeRune(lower[at:])
		if low := unicode.ToLower(r); low != r && utf8.RuneLen(low) == size {
			utf8.EncodeRune(lower[at:], low)
		}
		at += size
	}
	return lower
}

// valid returns a text with a question mark for each byte that is not part of a character.
func valid(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	text = bytes.Clone(text)
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			text[at] = '?'
		}
		at += size
	}
	return text
}

// Terms returns the words and phrases, as they were typed.
func (q Query) Terms() []string {
	all := make([]string, len(q.terms))
	for i, t := range q.terms {
		all[i] = t.text
	}
	return all
}

// Holds reports whether a text contains all terms.
func (q Query) Holds(src []byte) bool {
	text := lowered(src)
	return !slices.ContainsFunc(q.terms, func(t term) bool { return !t.expr.Match(text) })
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

// phrase returns the phrase in quotes at the beginning of text, if there is one, and the rest.
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
