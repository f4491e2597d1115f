package view

import (
	"strings"
	"testing"
)

func TestDefuse(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "a < b & c &lt; d\n", "a < b & c &lt; d\n"},
		{"comment in a line", "a <!-- b --> c\n", "a  c\n"},
		{"comment on lines of its own", "a\n\n<!--\nb\n\nb\n-->\nc\n", "a\n\n\n\n\n\n\nc\n"},
		{"comment between list items", "- a\n<!-- b -->\n- c\n", "- a\n\n- c\n"},
		{"comment inside an item", "- a\n\n  <!-- b\n  b -->\n- c\n", "- a\n\n  \n  \n- c\n"},
		{"comment across a paragraph's lines", "a <!-- b\nb --> c\n", "a \n c\n"},
		{"text after a comment", "<!-- a --> b <i>c</i>\n", " b &lt;i>c&lt;/i>\n"},
		{"two comments", "<!-- a --> b <!-- c -->\n", " b \n"},
		{"comment without an end", "a\n\n<!-- b\nc\n", "a\n\n&lt;!-- b\nc\n"},
		{"placeholder", "use <ID> here\n", "use &lt;ID> here\n"},
		{"block of HTML", "<details>\n<b>a</b>\n</details>\n", "&lt;details>\n&lt;b>a&lt;/b>\n&lt;/details>\n"},
		{"link in angle brackets", "<https://example.com>\n", "<https://example.com>\n"},
		{"code keeps it all", "```\n<!-- a --> <b> &#27;\n```\n\n    <!-- c --> &#27;\n", "```\n<!-- a --> <b> &#27;\n```\n\n    <!-- c --> &#27;\n"},
		{"inline code", "`<!-- a --> <b>`\n", "`<!-- a --> <b>`\n"},
		{"reference to ESC", "&#27; &#x1B; &#027 &#x9b;\n", "&amp;#27; &amp;#x1B; &amp;#027 &#x9b;\n"},
		{"references to text", "&copy; &#65; &nbsp; &unknown; AT&T\n", "&copy; &#65; &nbsp; &unknown; AT&T\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := defuse(tt.in); got != tt.want || err != nil {
				t.Errorf("defuse(%q)\n got %q, %v\nwant %q", tt.in, got, err, tt.want)
			}
		})
	}
}

// TestNothingIsHidden checks that the page shows text that HTML or an escape sequence could hide.
func TestNothingIsHidden(t *testing.T) {
	for _, markdown := range []string{
		"<details>\nneedle\n</details>\n",
		"<div hidden>needle</div>\n",
		"a <span style='display:none'>needle</span>\n",
		"<script>\nneedle\n</script>\n",
		"<needle>\n",
		"- a <needle> b\n",
		"| a |\n|---|\n| <needle> |\n",
		"<!-- no end\nneedle\n",
		"<?php needle ?>\n",
		"---\nneedle\n",
		"a\x1b]0;\nneedle\n",
	} {
		got, err := Render(markdown, Look{Style: Plain, Width: 80})
		if err != nil || !strings.Contains(got, "needle") {
			t.Errorf("%q is drawn as %q, %v", markdown, got, err)
		}
	}
}

func TestDepth(t *testing.T) {
	for depth, ok := range map[int]bool{deepest - 2: true, 10_000: false} {
		for _, level := range []string{"> ", "- ", "1. "} {
			_, err := Render(strings.Repeat(level, depth)+"x", Look{Style: Dark, Width: 80})
			if (err == nil) != ok {
				t.Errorf("%d times %q: %v", depth, level, err)
			}
		}
	}
}

func FuzzDefuse(f *testing.F) {
	for _, markdown := range places {
		f.Add(strings.ReplaceAll(markdown, "X", "&#27;<b>"))
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		got, err := Render(markdown, Look{Style: Dark, Width: 40})
		if err != nil {
			t.Skip(err) // drawn as its own text instead
		}
		for _, r := range colors256.ReplaceAllString(got, "") {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
				t.Fatalf("lets %U through: %q", r, got)
			}
		}
	})
}
