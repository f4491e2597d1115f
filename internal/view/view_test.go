package view

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// TestRenderGolden draws the sample in every style, and at three widths. UPDATE=1 writes what it gets.
func TestRenderGolden(t *testing.T) {
	markdown := readTestdata(t, "checkpoint.md")
	for name, look := range map[string]Look{
		"dark": {Style: Dark, Width: 80}, "light": {Style: Light, Width: 80}, "plain": {Style: Plain, Width: 80},
		"plain60": {Style: Plain, Width: 60}, "plain120": {Style: Plain, Width: 120},
	} {
		t.Run(name, func(t *testing.T) {
			look.Colors = termenv.ANSI256
			got, err := Render(markdown, look)
			if err != nil {
				t.Fatal(err)
			}
			name := "checkpoint." + name + ".golden"
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(filepath.Join("testdata", name), []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := readTestdata(t, name); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestPlainHasNoEscape(t *testing.T) {
	got, err := Render(readTestdata(t, "checkpoint.md"), Look{Style: Plain, Width: 80, Colors: termenv.TrueColor})
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsRune(got, 0x1b) {
		t.Errorf("an escape sequence in\n%q", got)
	}
}

func TestNarrow(t *testing.T) {
	markdown := readTestdata(t, "checkpoint.md")
	for width := MinWidth; width <= 60; width += 5 {
		got, err := Render(markdown, Look{Style: Plain, Width: width})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, "chk-auth") || !strings.Contains(got, "Measure") {
			t.Errorf("width %d lost something:\n%s", width, got)
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, markdown := range []string{"", "\n\n", "<!-- only -->"} {
		if got, err := Render(markdown, Look{Style: Dark, Width: 80}); got != "" || err != nil {
			t.Errorf("%q: drew %q, %v", markdown, got, err)
		}
	}
}

// hostile has payloads that a terminal would obey. The tests put each one into all
// places of a document.
var hostile = []struct{ name, payload string }{
	{"clipboard", "\x1b]52;c;ZXZpbA==\a"},
	{"title", "\x1b]0;pwned\x1b\\"},
	{"cursor", "\x1b[2A\x1b[1;1H\x1b[2J"},
	{"alternate screen", "\x1b[?1049h"},
	{"8-bit CSI", "\u009b2J"},
	{"8-bit CSI as a byte", "\x9b2J"},
	{"8-bit OSC", "\u009d52;c;ZXZpbA==\u009c"},
	{"device query", "\x1bP+q544e\x1b\\\x1b[c\x1b[6n"},
	{"key report", "\x1b[>4;1m"},
	{"ESC as a reference", "&#27;]52;c;ZXZpbA==&#7;"},
	{"without its semicolon", "&#27]0;pwned&#7"},
	{"in hexadecimal", "&#x1b;[2J"},
	{"CSI as a reference", "&#x9b;2J"},
	{"escaped twice", "&amp;#27;[2J"},
	{"thrice", "&amp;amp;#27;[2J"},
	{"invisible text as a reference", "&#27;[8mhidden"},
	{"direction as a reference", "&#x202e;live"},
	{"carriage return", "good\rbad"},
}

// places has the Markdown constructs that can contain text; X is the text.
var places = map[string]string{
	"paragraph":   "X\n",
	"heading":     "# X\n",
	"item":        "- X\n  - X\n1. X\n- [ ] X\n",
	"table":       "| X | b |\n|---|---|\n| X | [X](http://x/ \"X\") |\n",
	"code":        "`X` and ``X``\n",
	"fence":       "```X\nX\n```\n\n~~~go\nX\n~~~\n",
	"indented":    "    X\n",
	"link":        "[X](http://X \"X\") ![X](X) <http://X> [a]\n\n[a]: <X> 'X'\n",
	"emphasis":    "*X* **X** ~~X~~\n",
	"quote":       "> X\n> > X\n",
	"html":        "<div title=\"X\">\nX\n</div>\n\na <b class='X'>X</b>\n",
	"comment":     "<!-- X -->\n\na <!-- X\nX --> b\n",
	"open end":    "<!-- X\nX",
	"script":      "<script>X</script>\n<pre>X</pre>\n",
	"frontmatter": "---\nX: X\nkey: \"X\"\nlist:\n  - X\n---\nX\n",
	"definition":  "X\n: X\n",
	"footnote":    "a[^1]\n\n[^1]: X\n",
}

var colors256 = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestHostile(t *testing.T) {
	for place, markdown := range places {
		for _, h := range hostile {
			for _, style := range []Style{Dark, Plain} {
				got, err := Render(strings.ReplaceAll(markdown, "X", h.payload), Look{Style: style, Width: 80, Colors: termenv.ANSI256})
				if err != nil {
					t.Errorf("%s in a %s: %v", h.name, place, err)
				}
				for _, r := range colors256.ReplaceAllString(got, "") {
					if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r == 0x202e {
						t.Errorf("%s in a %s (%s) lets %U through:\n%q", h.name, place, style, r, got)
						break
					}
				}
				if strings.Contains(got, "\x1b[8m") {
					t.Errorf("%s in a %s (%s) hides text:\n%q", h.name, place, style, got)
				}
			}
		}
	}
}

func readTestdata(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
