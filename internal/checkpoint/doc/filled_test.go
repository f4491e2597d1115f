package doc_test

import "testing"

// TestFilled leaves out sections without a text, with their guiding comments, and tables without rows.
func TestFilled(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing to leave out", "## A\n\na\n", "## A\n\na\n"},
		{"an empty one", "## A\n\n## B\n\nb\n", "## B\n\nb\n"},
		{"with a comment", "## A\n\n<!-- What? -->\n\n## B\n\nb\n", "## B\n\nb\n"},
		{"with an empty one below it", "## A\n\n### Aa\n\n## B\n\nb\n", "## B\n\nb\n"},
		{"below one that has a text", "## A\n\na\n\n### Aa\n\n## B\n\nb\n", "## A\n\na\n\n## B\n\nb\n"},
		{"above one that has a text", "## A\n\n### Aa\n\na\n\n### Ab\n", "## A\n\n### Aa\n\na\n\n"},
		{"before a rule", "## A\n\n---\n\n## B\n\nb\n", "---\n\n## B\n\nb\n"},
		{"with a table without rows", "## A\n\n| F | G |\n|---|---|\n\n---\n\n## B\n\nb\n", "---\n\n## B\n\nb\n"},
		{"with a table that has a row", "## A\n\n| F | G |\n|---|---|\n| f | |\n", "## A\n\n| F | G |\n|---|---|\n| f | |\n"},
		{"with text above a table without rows", "## A\n\nOf:\n\n| F | G |\n|---|---|\n", "## A\n\nOf:\n\n| F | G |\n|---|---|\n"},
		{"text that is none is a text", "## A\n\nNone\n", "## A\n\nNone\n"},
		{"a preamble stays", "Hello\n\n## A\n", "Hello\n\n"},
	} {
		src := "---\ncheckpoint: chk-a\n---\n\n"
		if got := string(parse(t, src+c.src).Filled()); got != src+c.want {
			t.Errorf("%s: %q, want %q", c.name, got[len(src):], c.want)
		}
	}
}
