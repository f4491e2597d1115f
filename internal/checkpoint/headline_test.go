package checkpoint_test

import (
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

func TestHeadline(t *testing.T) {
	for problem, want := range map[string]string{
		"":                                  "",
		"Logins fail. Since 2.3.":           "Logins fail.",
		"Logins\nfail\n\nSince 2.3":         "Logins fail",
		"### Context\n\nLogins fail":        "Logins fail",
		"### Context\n#### More\nIt fails!": "It fails!",
		"### Context":                       "### Context",
		"\\## Context\n\nLogins fail":       "Logins fail",
		"\\## Context":                      "## Context",
		"#42 fails\nagain":                  "#42 fails again",
	} {
		c, err := checkpoint.Parse("active/a.md", []byte("---\ncheckpoint: a\ncreated: 2026-01-01\n---\n## Problem\n\n"+problem+"\n\n## Session Intent\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Headline(); got != want {
			t.Errorf("%q: got %q, want %q", problem, got, want)
		}
	}
}
