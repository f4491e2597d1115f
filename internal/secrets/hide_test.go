package secrets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestHide(t *testing.T) {
	for name, tc := range map[string]struct {
		text  string
		given []string
		want  string
	}{
		"nothing":                   {`no checkpoint is called "auth"`, []string{"show", "auth"}, `no checkpoint is called "auth"`},
		"in the text":               {"no checkpoint is called " + token, nil, "no checkpoint is called …"},
		"twice":                     {token + " and " + token, nil, "… and …"},
		"a part of what was given":  {`the id "chk-` + strings.ToLower(token[4:30]) + `" is there`, []string{"new", token}, `the id "chk-…" is there`},
		"cut and quoted":            {fmt.Sprintf("unknown flag: %.200q", pem), []string{"note", pem}, `unknown flag: "…\n…\n…\n…`},
		"a short one":               {`no command "hunter2" there`, []string{"sshpass -p hunter2 ssh x"}, `no command "…" there`},
		"given, and not repeated":   {"note needs a text", []string{"note", "context", token}, "note needs a text"},
		"repeats what is no secret": {`"something long" is no kind`, []string{"note", "something long"}, `"something long" is no kind`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (&Scanner{}).Hide(tc.text, tc.given...); !strings.HasPrefix(got, tc.want) || len(got) > len(tc.want)+24 {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestHidePlanted checks that if an error repeats a secret, Hide leaves no eight consecutive bytes of it.
func TestHidePlanted(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 71))}
	for _, p := range planted(m, passwords[0]) {
		s := &Scanner{}
		for _, text := range []string{fmt.Sprintf("%q is not known", p.text), "unknown flag: --" + p.text[:len(p.text)/2]} {
			got := s.Hide(text, "note", p.text)
			for _, f := range s.Scan("", p.text) {
				value := p.text[f.Start:f.Stop]
				for i := 0; i+run <= len(value); i++ {
					if strings.Contains(got, value[i:i+run]) {
						t.Errorf("%s: %q", p.name, got)
						break
					}
				}
			}
		}
	}
}

// TestReplacePlanted checks that Replace leaves only the word in place of a secret.
func TestReplacePlanted(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 71))}
	for _, p := range planted(m, passwords[0]) {
		s := &Scanner{}
		text := "run --with '" + p.text + "' now"
		got := s.Replace(text)
		for _, f := range s.Scan("", text) {
			if strings.Contains(got, text[f.Start:f.Stop]) || !strings.Contains(got, "[secret]") {
				t.Errorf("%s: %q", p.name, got)
			}
		}
	}
	if got := (&Scanner{}).Replace("go test ./..."); got != "go test ./..." {
		t.Errorf("got %q", got)
	}
}
