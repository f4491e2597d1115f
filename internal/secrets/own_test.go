package secrets

import (
	"slices"
	"strings"
	"testing"
)

// TestOwnWords: what is looked for first is the words of all own rules, sorted.
func TestOwnWords(t *testing.T) {
	var want []string
	for i := range len(own) + len(keys) {
		r := ownRule(i)
		for _, w := range r.words {
			if len(w) < 2 || strings.ToLower(w) != w {
				t.Errorf("%s: the word %q: two bytes of lower case or more", r.id, w)
			}
		}
		want = append(want, r.words...)
	}
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(want, ownWords[:]) {
		t.Errorf("ownWords is to be %q", want)
	}
}

// TestOwnRules: their names are new, and their expressions compile.
func TestOwnRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules {
		seen[r.id] = true
	}
	s := &Scanner{}
	s.Scan("", "")
	for i := range len(own) + len(keys) {
		r := ownRule(i)
		if seen[r.id] || !IsRule(r.id) {
			t.Errorf("%s is there twice, or not known", r.id)
		}
		seen[r.id] = true
		s.expr(r.expr).MatchString("")
	}
}
