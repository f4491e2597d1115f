package checkpoint_test

import "testing"

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
		if got := parse(t, head+"## Problem\n\n"+problem+"\n\n## Session Intent\n").Headline(); got != want {
			t.Errorf("%q: got %q, want %q", problem, got, want)
		}
	}
}
