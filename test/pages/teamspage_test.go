package pages

import (
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestTeamsPage runs the commands that docs/teams.md shows and compares their output with the
// page. Those below the first three headings run in one repository; a migration begins in another one,
// whose checkpoints are on the branch.
func TestTeamsPage(t *testing.T) {
	r := shopRepo(t)
	p := openPage(t, "docs/teams.md", r.Dir)
	p.section("How ref mode works")
	r.Git("init", "-q", "--bare", "-b", "main", "../shop.git")
	r.Git("remote", "add", "origin", "../shop.git")
	r.Git("push", "-q", "origin", "main")
	p.section("Sync")
	p.section("For reviewers")
	r = shopRepo(t)
	p.dir = r.Dir
	ckpt(t, r.Dir, pageTime, "new", "sso", "--problem", "Logins fail")
	ckpt(t, r.Dir, pageTime, "note", "step", "Read the logs")
	p.section("Migrating")
}

// shopRepo returns a repository with one commit.
func shopRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.New(t)
	r.Commit("Add the shop", "README.md", "# Shop\n")
	return r
}
