package fold_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
)

// TestStateRows: a transition brings the row of Current State that names its item up to
// date, in the brief and in the file once it is folded.
func TestStateRows(t *testing.T) {
	moves := func(rows ...string) string {
		return "## Delta: 2026-01-02T10:00:00Z\n\n### What Changed\n\nIt.\n\n### Status Transitions\n\n" + table("Item | Before | After", rows...)
	}
	for name, tc := range map[string]struct{ header, row, deltas, want string }{
		"from what it was":            {"Item | Status", "Login | pending", moves("Login | pending | done"), "Login | done"},
		"in other words":              {"Item | Status", "**Login** | ⏳ To do", moves("login | pending | done"), "**Login** | done"},
		"step by step":                {"Item | Status", "Login | pending", moves("Login | pending | in progress") + moves("Login | in progress | done"), "Login | done"},
		"a step that nobody told":     {"Item | Status", "Login | pending", moves("Login | in progress | done"), "Login | done"},
		"behind a number":             {"# | Phase | Status | Notes", "1 | Login | pending | SSO", moves("Login | pending | done"), "1 | Login | done | SSO"},
		"no column of that name":      {"Phase | Where", "Login | pending", moves("Login | pending | done"), "Login | done"},
		"nothing yet":                 {"Item | Status", "Login | -", moves("Login | - | open"), "Login | open"},
		"again":                       {"Item | Status", "Login | done", moves("Login | done | failed"), "Login | failed"},
		"a bar":                       {"Item | Status", "Login | pending", moves(`Login | pending | a \| b`), `Login | a \| b`},
		"a state that is newer stays": {"Item | Status", "Login | done", moves("Login | pending | in progress"), "Login | done"},
		"words of one's own stay":     {"Item | Status", "Login | works with SSO", moves("Login | pending | done"), "Login | works with SSO"},
		"another item stays":          {"Item | Status", "Logout | pending", moves("Login | pending | done"), "Logout | pending"},
		"no status in the row":        {"Item | Owner", "Login | Ana", moves("Login | pending | done"), "Login | Ana"},
	} {
		t.Run(name, func(t *testing.T) {
			src := "---\ncheckpoint: chk-a\ncreated: 2026-01-01\n---\n\n### Current State\n\nAs it is.\n\n" + table(tc.header, tc.row) + "\n" + tc.deltas
			c, err := checkpoint.Parse("active/chk-a.md", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSpace("As it is.\n\n" + table(tc.header, tc.want))
			if got := squeeze(fold.State(c)); got != squeeze(want) {
				t.Errorf("got\n%s\nwant\n%s", got, squeeze(want))
			}
			folded, _, err := fold.Fold(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := folded.Text(checkpoint.State); got != fold.State(c) || fold.State(folded) != got {
				t.Errorf("folded\n%s\nbefore\n%s", got, fold.State(c))
			}
		})
	}
}

// squeeze is a text without the odd spaces of its cells.
func squeeze(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}
