package changes_test

import (
	"testing"
	"time"

	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/gittest"
)

// TestBaseOf finds the commit to count from after commits were rewritten.
func TestBaseOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(g *gittest.Repo)
		state changes.BaseState
		at    string // the subject of the commit
	}{
		{"as it was", func(g *gittest.Repo) {}, changes.Ancestor, "work"},
		{"squashed", func(g *gittest.Repo) {
			g.Git("switch", "-q", "main")
			g.Git("merge", "-q", "--squash", "side")
			g.Commit("squash")
			g.Commit("later", "a.txt", "later\n")
		}, changes.Arrived, "squash"},
		{"squashed, and moved to the archive later", func(g *gittest.Repo) {
			g.Git("switch", "-q", "main")
			g.Git("merge", "-q", "--squash", "side")
			g.Commit("squash")
			g.Git("mv", "checkpoints/chk-a.md", "chk-a.md")
			g.Write("checkpoints/archive/keep", "")
			g.Git("mv", "chk-a.md", "checkpoints/archive/chk-a.md")
			g.Commit("archive")
		}, changes.Arrived, "squash"},
		{"rebased", func(g *gittest.Repo) { g.Git("rebase", "-q", "main") }, changes.Arrived, "delta"},
		{"rebased, then merged", func(g *gittest.Repo) {
			g.Git("rebase", "-q", "main")
			g.Git("switch", "-q", "main")
			g.Git("merge", "-q", "--no-ff", "-m", "merge", "side")
		}, changes.Arrived, "merge"},
		{"amended", func(g *gittest.Repo) {
			g.Git("reset", "-q", "--soft", "HEAD~2")
			g.Commit("amended")
		}, changes.Arrived, "amended"},
		{"the same base once more", func(g *gittest.Repo) {
			g.Git("rebase", "-q", "main")
			g.Commit("next delta", "checkpoints/chk-a.md", "base: 123\n")
			g.Git("revert", "--no-edit", "HEAD")
		}, changes.Arrived, "delta"},
		{"another checkpoint has it, too", func(g *gittest.Repo) {
			g.Git("switch", "-q", "main")
			g.Git("checkout", "-q", "side", "--", "checkpoints", "b.txt")
			g.Git("mv", "checkpoints/chk-a.md", "checkpoints/chk-b.md")
			g.Commit("another")
			g.Git("merge", "-q", "--squash", "side")
			g.Commit("squash")
		}, changes.Arrived, "squash"},
		{"only the file was taken over", func(g *gittest.Repo) {
			g.Git("switch", "-q", "main")
			g.Git("checkout", "-q", "side", "--", "checkpoints")
			g.Commit("take over")
		}, changes.Diverged, "first"},
		{"no commit here has it", func(g *gittest.Repo) { g.Git("switch", "-q", "main") }, changes.Diverged, "first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("first", "a.txt", "1\n")
			g.Git("switch", "-q", "-c", "side")
			g.Commit("work", "b.txt", "1\n")
			b := changes.Base{Commit: g.Git("rev-parse", "HEAD"), File: "checkpoints/chk-a.md"}
			b.Line = "base: " + b.Commit
			b.Written = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) // as gittest has it
			g.Commit("delta", b.File, b.Line+"\n")
			g.Git("switch", "-q", "main")
			g.Commit("main moved", "c.txt", "1\n")
			g.Git("switch", "-q", "side")
			c.do(g)
			check := func(when string, want changes.BaseState, at string) {
				t.Helper()
				commit, state, err := changes.Of(g.Open()).BaseOf(t.Context(), b, "checkpoints")
				gittest.Must(t, err)
				got := ""
				if commit != "" {
					got = g.Git("log", "-1", "--format=%s", commit)
				}
				if state != want || got != at {
					t.Errorf("%s: state %v, counted from %q; want %v, %q", when, state, got, want, at)
				}
			}
			check("at first", c.state, c.at)
			if c.state != changes.Arrived {
				return
			}
			g.Git("checkout", "-q", "--detach")
			g.Git("branch", "-q", "-D", "main", "side")
			g.Git("reflog", "expire", "--expire=now", "--all")
			g.Git("gc", "-q", "--prune=now")
			check("after gc", c.state, c.at)
		})
	}
}
