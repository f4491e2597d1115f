package secrets

import (
	"slices"
	"strings"
	"testing"
)

// TestOwnWords checks that the words of own rules are in lower case.
func TestOwnWords(t *testing.T) {
	for _, r := range slices.Concat(own[:], keys[:]) {
		for _, w := range r.words {
			if len(w) < 2 || strings.ToLower(w) != w {
				t.Errorf("%s: the word %q: two bytes of lower case or more", r.id, w)
			}
		}
	}
}

// TestOwnRules checks that the names of own rules differ from gitleaks' names, and their expressions compile.
func TestOwnRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules {
		seen[r.id] = true
	}
	s := &Scanner{}
	s.Scan("", "")
	for _, r := range slices.Concat(own[:], keys[:]) {
		if seen[r.id] || !IsRule(r.id) {
			t.Errorf("%s is there twice, or not known", r.id)
		}
		seen[r.id] = true
		expr(r.expr).MatchString("")
	}
}
