package pages

import (
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestTeamsPage runs the commands that docs/teams.md shows and compares their output with the
// page. Each mode begins in a new repository.
func TestTeamsPage(t *testing.T) {
	p := openPage(t, "docs/teams.md", shopRepo(t).Dir)
	p.section("How own mode works")
	r := shopRepo(t)
	p.dir = r.Dir
	p.section("How ref mode works")
	r.Git("init", "-q", "--bare", "-b", "main", "../shop.git")
	r.Git("remote", "add", "origin", "../shop.git")
	r.Git("push", "-q", "origin", "main")
	p.section("Sync")
}

// TestMigratingPage runs the commands of docs/migrating.md in a repository with checkpoints on its branch.
func TestMigratingPage(t *testing.T) {
	r := shopRepo(t)
	ckpt(t, r.Dir, pageTime, "new", "sso", "--problem", "Logins fail")
	ckpt(t, r.Dir, pageTime, "note", "step", "Read the logs")
	openPage(t, "docs/migrating.md", r.Dir).section("")
}

// shopRepo returns a repository with one commit.
func shopRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.New(t)
	r.Commit("Add the shop", "README.md", "# Shop\n")
	return r
}
