package remote_test

import (
	"testing"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/remote"
)

// TestApart finds the common ancestor of two commits, and the commits that only one of them has.
func TestApart(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "c/a.md", "1\n", "code", "1\n")
	base := g.Git("rev-parse", "HEAD")
	g.Git("branch", "side")
	g.Commit("ours", "c/a.md", "2\n")
	ours := g.Git("rev-parse", "HEAD")
	g.Git("switch", "-q", "side")
	g.Commit("code", "code", "2\n")
	g.Commit("squashed", "c/a.md", "2\n")
	g.Commit("theirs", "c/a.md", "3\n")
	theirs := g.Git("rev-parse", "HEAD")
	g.Git("switch", "-q", "--orphan", "other")
	g.Commit("unrelated", "code", "3\n")
	unrelated := g.Git("rev-parse", "HEAD")
	r := g.Open()

	for _, test := range []struct {
		name, ours, theirs, base string
		ahead, behind            int
	}{
		{"the same", base, base, base, 0, 0},
		{"ahead", ours, base, base, 1, 0},
		{"behind", base, theirs, base, 0, 3},
		{"both", ours, theirs, base, 1, 3},
		{"nothing in common", ours, unrelated, "", 2, 1},
	} {
		gotBase, ahead, behind, err := remote.Of(r).AheadBehind(t.Context(), test.ours, test.theirs)
		if err != nil || gotBase != test.base || ahead != test.ahead || behind != test.behind {
			t.Errorf("%s: base %s, ahead %d, behind %d, %v", test.name, gotBase, ahead, behind, err)
		}
	}
}
