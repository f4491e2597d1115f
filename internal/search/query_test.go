package search

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
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
		q, err := Parse(AnyCase, test.texts...)
		if err != nil || !slices.Equal(q.Terms(), test.want) {
			t.Errorf("%s: %q, %v", test.name, q.Terms(), err)
		}
	}
	for _, texts := range [][]string{nil, {""}, {" \n"}, {`""`}, {strings.Repeat("a b c ", 10), words(65)}} {
		if q, err := Parse(AnyCase, texts...); err == nil {
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
		sensitive   Case
		want        bool
	}{
		{"Authentication", "auth", AnyCase, true},
		{"JWT", "jwt", AnyCase, true},
		{"JWT", "jwt", ExactCase, false},
		{"JWT", "JW", ExactCase, true},
		{"one two", "two one", AnyCase, true},
		{"one two", "one three", AnyCase, false},
		{"one two", `"two one"`, AnyCase, false},
		{"one \t\r\n  two", `"one two"`, AnyCase, true},
		{"one\n\ntwo", `"one two"`, AnyCase, false},
		{"onetwo", `"one two"`, AnyCase, false},
		{"ΣΊΣΥΦΟΣ", "σίσυφος", AnyCase, true},
		{"σίσυφοσ", "ΣΊΣΥΦΟΣ", AnyCase, true},
		{"GROẞE STRAẞE", "straße", AnyCase, true},
		{"İstanbul", "istanbul", AnyCase, true},
		{"istanbul", "İSTANBUL", AnyCase, true},
		{"300 \u212a", "300 k", AnyCase, true}, // the Kelvin sign
		{"Paſſwort", "passwort", AnyCase, true},
		{"日本語の文", "本語", AnyCase, true},
		{"日本語の文", "本文", AnyCase, false},
		{"Ärger", "äRGER", AnyCase, true},
		{"a\xffb", "a b", AnyCase, true},
		{"", "a", AnyCase, false},
		{"aab", "ab", AnyCase, true},
	} {
		q, err := Parse(test.sensitive, test.query)
		if err != nil || q.Holds([]byte(test.text)) != test.want {
			t.Errorf("%q in %q: %t, %v", test.query, test.text, !test.want, err)
		}
	}
}

// FuzzQuery: what a query finds in a text is what a plain search rune by rune finds,
// and quoting a word changes nothing.
func FuzzQuery(f *testing.F) {
	f.Add(`refresh "the token" x`, "Refresh THE\n  token", true)
	f.Add(`"a" ""b" c`, `""b"`, true)
	f.Add("ſk İ ß", "SK i ẞ Σς", true)
	f.Add("aa a", "aaa\xff", false)
	f.Fuzz(func(t *testing.T, text, src string, any bool) {
		sensitive := ExactCase
		if any {
			sensitive = AnyCase
		}
		q, err := Parse(sensitive, text)
		if err != nil {
			return
		}
		all := true
		for i := range q.terms {
			term := &q.terms[i]
			if term.text == "" || term.text != strings.TrimSpace(term.text) {
				t.Fatalf("%q has the term %q", text, term.text)
			}
			again, err := Parse(sensitive, `"`+term.text+`"`)
			if err != nil || !strings.Contains(term.text, `"`) && again.terms[0].text != term.text {
				t.Fatalf("%q in quotes is %q, %v", term.text, again.Terms(), err)
			}
			end, found := 0, false
			for s := range term.all([]byte(src)) {
				if s.Start < end || s.End <= s.Start || s.End > len(src) {
					t.Fatalf("%q in %q: %v behind %d", term.text, src, s, end)
				}
				if n := slowly(term, src[s.Start:]); n != s.Len() {
					t.Fatalf("%q is not at %d of %q", term.text, s.Start, src)
				}
				end, found = s.End, true
			}
			slow := false
			for at := range len(src) {
				slow = slow || utf8.RuneStart(src[at]) && slowly(term, src[at:]) > 0
			}
			if slow && !found && utf8.ValidString(src) && utf8.ValidString(text) {
				t.Fatalf("%q is missed in %q", term.text, src)
			}
			all = all && found
		}
		if q.Holds([]byte(src)) != all {
			t.Fatalf("Holds(%q, %q) is %t", text, src, !all)
		}
	})
}

// slowly is the length of the term at the start of src, 0 where it is not there.
func slowly(t *term, src string) int {
	at := 0
	for _, want := range t.runes {
		if want == ' ' {
			rest := strings.TrimLeftFunc(src[at:], unicode.IsSpace)
			space := src[at : len(src)-len(rest)]
			if space == "" || strings.Count(space, "\n") > 1 {
				return 0
			}
			at += len(space)
			continue
		}
		r, n := utf8.DecodeRuneInString(src[at:])
		if n == 0 || t.fold(r) != want {
			return 0
		}
		at += n
	}
	return at
}
