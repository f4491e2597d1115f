package decisions

import (
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
)

// sameWhat reports whether two decisions have the same words. Case, markup, spaces, punctuation and
// the reason do not count.
func sameWhat(a, b checkpoint.Decision) bool {
	if a.What == b.What {
		return true
	}
	w := words(a.What)
	return len(w) > 0 && slices.Equal(w, words(b.What))
}

// words returns the words of a text in lower case, without markup.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && r != '\'' && r != '’' &&
			r != '+' && r != '#'
	})
}

// small lists words that do not show what a decision is about.
var small = []string{
	"a", "an", "the", "we", "i", "it", "is", "are", "be", "to", "of", "for", "in", "on", "at", "by", "as", "and", "or",
	"with", "from",
	"this", "that", "will", "should", "shall", "use", "using", "used", "instead", "than", "rather", "over",
}

// negating lists words that reverse a decision.
var negating = []string{"no", "not", "never", "without", "don't", "don’t", "avoid", "neither", "stop", "drop",
	"instead", "than", "over"}

// likeness returns how similar two decisions are, from 0 to 1. Zero means that they are different decisions, such as
// opposites: the negating words of both must be the same. In addition, similar decisions share more than half of the
// content words of the shorter one, or at least one such word and exactly the same reason.
func likeness(a, b checkpoint.Decision) float64 {
	if !slices.Equal(only(a.What, negating), only(b.What, negating)) {
		return 0
	}
	about, then := content(a.What), content(b.What)
	shorter := min(len(about), len(then))
	if shorter == 0 {
		return 0
	}
	shared := 0
	for _, w := range about {
		if slices.ContainsFunc(then, func(v string) bool { return sameWord(w, v) }) {
			shared++
		}
	}
	sameWhy := len(content(a.Why)) > 2 && slices.Equal(words(a.Why), words(b.Why))
	if shared == 0 || 2*min(shared, shorter) <= shorter && !sameWhy {
		return 0
	}
	return 2 * float64(shared) / float64(len(about)+len(then))
}

// content returns the words of a text that show what it is about, each once.
func content(text string) []string {
	all := words(text)
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(w string) bool {
		return slices.Contains(small, w) || slices.Contains(negating, w)
	})
}

// only returns those words of a text that are in a list, sorted.
func only(text string, list []string) []string {
	all := slices.DeleteFunc(words(text), func(w string) bool { return !slices.Contains(list, w) })
	slices.Sort(all)
	return all
}

// sameWord reports whether two words match except for an ending: "token" matches "tokens" and
// "postgres" matches "postgresql", but "store" does not match "storm".
func sameWord(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 3 && strings.HasPrefix(b, a) && !unicode.IsDigit(rune(a[0]))
}
