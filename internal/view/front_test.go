package view

import "testing"

func TestFrontAsList(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"none", "# a\n", "# a\n"},
		{"simple", "---\na: 1\nb: two words\n---\nbody\n", "- **a**: 1\n- **b**: two words\n\nbody\n"},
		{"byte order mark", "\ufeff---\na: 1\n---\nbody", "- **a**: 1\n\nbody"},
		{"only the first block", "---\na: 1\n---\n---\nb: 2\n---\n", "- **a**: 1\n\n---\nb: 2\n---\n"},
		{"a rule is no frontmatter", "---\n\ntext\n", "---\n\ntext\n"},
		{"list", "---\na:\n  - x\nb:\n- z\n---\n", "- **a**:\n  - x\n- **b**:\n  - z\n\n"},
		{"map", "---\na:\n  b: 1\n---\n", "- **a**:\n  b: 1\n\n"},
		{"comment line", "---\n# note\na: 1 # kept\n---\n", "- **a**: 1 \\# kept\n\n"},
		{"broken", "---\nno key\na: 1\n---\n", "  no key\n- **a**: 1\n\n"},
		{"literal", "---\na_b: '*x* <b> https://x/a_b'\n---\n", "- **a\\_b**: '\\*x\\* \\<b\\> https://x/a_b'\n\n"},
	} {
		if got := frontAsList(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
