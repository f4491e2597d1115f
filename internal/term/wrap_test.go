package term

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{
		{"short", 30, "short"},
		{"key:  \vone two three four five six seven", 30, "key:  one two three four five\n      six seven"},
		{"one two three four five six seven", 30, "one two three four five six\n    seven"},
		{"    one two three four five six seven", 30, "    one two three four five\n    six seven"},
		{"a very long name for a key:  \vone two", 30, "a very long name for a key:\n    one two"},
		{"note chk-a: text \x1b[2m[0123456789abcdef]\x1b[22m", 30, "note chk-a: text\n    \x1b[2m[0123456789abcdef]\x1b[22m"},
		{"see internal/authentication/sessions/clock_skew.go now", 30,
			"see internal/authentication/\n    sessions/clock_skew.go now"},
		// a combining mark takes no column, a picture made of several characters two
		{strings.Repeat("a\u0301bc\u0301defgh\u0301 ", 3) + "x", 26, strings.Repeat("a\u0301bc\u0301defgh\u0301 ", 3)[:3*15-1] + "\n    x"},
		{strings.Repeat("日本日本 ", 3) + "x", 26, "日本日本 日本日本 日本日本\n    x"},
		{strings.Repeat("👩\u200d💻👩\u200d💻 ", 5) + "x", 24, strings.TrimSpace(strings.Repeat("👩\u200d💻👩\u200d💻 ", 5)) + "\n    x"},
	} {
		if got := Wrap(c.line, c.width); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, not %q", c.line, c.width, got, c.want)
		}
	}
}
