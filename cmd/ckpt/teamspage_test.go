package main

import (
	"os"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
)

// TestTeamsPage runs the commands that docs/teams.md shows, in one repository, and compares
// their output with the page.
func TestTeamsPage(t *testing.T) {
	src, err := os.ReadFile("../../docs/teams.md")
	if err != nil {
		t.Fatal(err)
	}
	r := gittest.New(t)
	r.Commit("Add the shop", "README.md", "# Shop\n")
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	for _, heading := range []string{"How ref mode works", "For reviewers"} {
		blocks := session(string(src), heading)
		if len(blocks) == 0 {
			t.Errorf("docs/teams.md has no ```console block below the heading %q", heading)
		}
		for _, block := range blocks {
			for _, step := range block {
				got := shell(t, r.Dir, at, step.command)
				if want := pattern(step.output); !want.MatchString(mask(got)) {
					t.Errorf("docs/teams.md line %d: $ %s\nanswers\n%s\nthe page shows\n%s", step.line, step.command, got, step.output)
				}
				at = at.Add(time.Minute)
			}
		}
	}
}
