package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func TestCutFront(t *testing.T) {
	tests := []struct {
		name, in string
		fields   []field
		body     string
	}{
		{"none", "# a\n", nil, "# a\n"},
		{"simple", "---\na: 1\nb: two words\n---\nbody\n", []field{{"a", "1"}, {"b", "two words"}}, "body\n"},
		{"byte order mark", "\ufeff---\na: 1\n---\nbody", []field{{"a", "1"}}, "body"},
		{"only the first block", "---\na: 1\n---\n---\nb: 2\n---\n", []field{{"a", "1"}}, "---\nb: 2\n---\n"},
		{"a rule is no frontmatter", "---\n\ntext\n", nil, "---\n\ntext\n"},
		{"quotes", "---\na: \"x: y\"\nb: 'z'\nc: \"es\\\"caped\"\n---\n", []field{{"a", "x: y"}, {"b", "z"}, {"c", `"es\"caped"`}}, ""},
		{"list", "---\na:\n  - x\n  - 'y'\nb:\n- z\n---\n", []field{{"a", "x, y"}, {"b", "z"}}, ""},
		{"map", "---\na:\n  b: 1\n  c: 2\n---\n", []field{{"a", "b: 1 c: 2"}}, ""},
		{"two lines", "---\na: one\n  two\n---\n", []field{{"a", "one two"}}, ""},
		{"comment line", "---\n# note\na: 1 # kept\n---\n", []field{{"a", "1 # kept"}}, ""},
		{"time and URL", "---\na: 10:00:00Z\nb: http://x\n---\n", []field{{"a", "10:00:00Z"}, {"b", "http://x"}}, ""},
		{"broken", "---\nno key\na: 1\n---\n", []field{{"", "no key"}, {"a", "1"}}, ""},
		{"empty value", "---\na:\nb: 1\n---\n", []field{{"a", ""}, {"b", "1"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fields, body := cutFront(tt.in)
			if !slices.Equal(fields, tt.fields) || body != tt.body {
				t.Errorf("got %q, %q\nwant %q, %q", fields, body, tt.fields, tt.body)
			}
		})
	}
}

func TestDrawFront(t *testing.T) {
	fields := []field{
		{"id", "chk-日本"},
		{"a_key_that_is_too_long", "x"},
		{"path", "a/very/long/path/that/does/not/fit"},
	}
	got := drawFront(fields, Look{Style: Plain, Width: 36, Colors: termenv.Ascii})
	want := `
  id            chk-日本
  a_key_that_i  x
  s_too_long
  path          a/very/long/path/
                that/does/not/fit
`
	if got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}
