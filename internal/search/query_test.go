package search

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name  string
		texts []string
		want  []string
	}{
		{"words", []string{"refresh  token\n"}, []string{"refresh", "token"}},
		{"several arguments", []string{"refresh", "token"}, []string{"refresh", "token"}},
		{"a phrase", []string{`"refresh   token" jwt`}, []string{"refresh token", "jwt"}},
		{"a word twice", []string{"jwt jwt", "jwt"}, []string{"jwt"}},
		{"a quote within a word", []string{`5"x 5"`}, []string{`5"x`, `5"`}},
		{"a quote that nobody closes", []string{`"refresh token`}, []string{`"refresh`, "token"}},
		{"quotes in a phrase", []string{`"status": "current"`}, []string{`status": "current`}},
		{"an empty phrase", []string{`"" jwt " "`}, []string{"jwt"}},
		{"nothing is an operator", []string{"-m NOT a.*b section:x"}, []string{"-m", "NOT", "a.*b", "section:x"}},
	} {
		q, err := Parse(test.texts...)
		if err != nil || !slices.Equal(q.Terms(), test.want) {
			t.Errorf("%s: %q, %v", test.name, q.Terms(), err)
		}
	}
	for _, texts := range [][]string{nil, {""}, {" \n"}, {`""`}, {strings.Repeat("a b c ", 10), words(65)}} {
		if q, err := Parse(texts...); err == nil {
			t.Errorf("%q is %q", texts, q.Terms())
		}
	}
}

func words(n int) string {
	var all []string
	for i := range n {
		all = append(all, strings.Repeat("x", i+1))
	}
	return strings.Join(all, " ")
}

func TestHolds(t *testing.T) {
	for _, test := range []struct {
		text, query string
		want        bool
	}{
		{"Authentication", "auth", true},
		{"JWT", "jwt", true},
		{"one two", "two one", true},
		{"one two", "one three", false},
		{"one two", `"two one"`, false},
		{"one \t\r\n  two", `"one two"`, true},
		{"one\n\ntwo", `"one two"`, false},
		{"onetwo", `"one two"`, false},
		{"σίσυφοσ", "ΣΊΣΥΦΟΣ", true},
		{"İstanbul", "İSTANBUL", true},
		{"GROẞE STRAẞE", "straẞe", true},
		{"日本語の文", "本語", true},
		{"日本語の文", "本文", false},
		{"Ärger", "äRGER", true},
		{"a\xffb", "a b", true},
		{"", "a", false},
		{"aab", "ab", true},
	} {
		q, err := Parse(test.query)
		if err != nil || q.Holds([]byte(test.text)) != test.want {
			t.Errorf("%q in %q: %t, %v", test.query, test.text, !test.want, err)
		}
	}
}

// FuzzQuery checks that a word is found where a plain search finds it, and that quotes around it change nothing.
func FuzzQuery(f *testing.F) {
	f.Add(`refresh "the token" x`, "Refresh THE\n  token")
	f.Add(`"a" ""b" c`, `""b"`)
	f.Add("ſk İ ß", "SK i ẞ Σς")
	f.Add("aa a", "aaa\xff")
	f.Fuzz(func(t *testing.T, text, src string) {
		q, err := Parse(text)
		if err != nil {
			return
		}
		compared := lowered([]byte(src))
		if len(compared) != len(src) {
			t.Fatalf("%q is compared as %q", src, compared)
		}
		all := true
		for _, term := range q.terms {
			if term.text == "" || term.text != strings.TrimSpace(term.text) {
				t.Fatalf("%q has the term %q", text, term.text)
			}
			again, err := Parse(`"` + term.text + `"`)
			if err != nil || !strings.Contains(term.text, `"`) && again.terms[0].text != term.text {
				t.Fatalf("%q in quotes is %q, %v", term.text, again.Terms(), err)
			}
			found := term.expr.Match(compared)
			if len(strings.Fields(term.text)) == 1 && found != bytes.Contains(compared, lowered([]byte(term.text))) {
				t.Fatalf("%q in %q: %t", term.text, src, found)
			}
			all = all && found
		}
		if q.Holds([]byte(src)) != all {
			t.Fatalf("Holds(%q, %q) is %t", text, src, !all)
		}
	})
}
