package main

import (
	"os"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
)

// TestTeamsPage runs the commands that docs/teams.md shows and compares their output with the
// page. Those below the first three headings run in one repository; a migration begins in another one,
// whose checkpoints are on the branch.
func TestTeamsPage(t *testing.T) {
	src, err := os.ReadFile("../../docs/teams.md")
	if err != nil {
		t.Fatal(err)
	}
	r := shopRepo(t)
	runPage(t, r, string(src), "How ref mode works")
	r.Git("init", "-q", "--bare", "-b", "main", "../shop.git")
	r.Git("remote", "add", "origin", "../shop.git")
	r.Git("push", "-q", "origin", "main")
	runPage(t, r, string(src), "Sync")
	runPage(t, r, string(src), "For reviewers")
	r = shopRepo(t)
	ckpt(t, r.Dir, pageTime, "new", "sso", "--problem", "Logins fail")
	ckpt(t, r.Dir, pageTime, "note", "step", "Read the logs")
	runPage(t, r, string(src), "Migrating")
}

var pageTime = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// shopRepo returns a repository with one commit.
func shopRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.New(t)
	r.Commit("Add the shop", "README.md", "# Shop\n")
	return r
}

// runPage runs the commands below a heading of docs/teams.md.
func runPage(t *testing.T, r *gittest.Repo, page, heading string) {
	t.Helper()
	blocks := session(page, heading)
	if len(blocks) == 0 {
		t.Errorf("docs/teams.md has no ```console block below the heading %q", heading)
	}
	for _, block := range blocks {
		for _, step := range block {
			got := shell(t, r.Dir, pageTime, step.command)
			if want := pattern(step.output); !want.MatchString(mask(got)) {
				t.Errorf("docs/teams.md line %d: $ %s\nanswers\n%s\nthe page shows\n%s", step.line, step.command, got, step.output)
			}
		}
	}
}
