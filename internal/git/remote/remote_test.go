package remote_test

import (
	"slices"
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
	code := g.Git("rev-parse", "HEAD")
	g.Commit("squashed", "c/a.md", "2\n")
	squashed := g.Git("rev-parse", "HEAD")
	g.Commit("theirs", "c/a.md", "3\n")
	theirs := g.Git("rev-parse", "HEAD")
	g.Git("switch", "-q", "--orphan", "other")
	g.Commit("unrelated", "code", "3\n")
	unrelated := g.Git("rev-parse", "HEAD")
	r := g.Open()

	for _, test := range []struct {
		name, ours, theirs, base string
		ahead, behind            []string
	}{
		{"the same", base, base, base, nil, nil},
		{"ahead", ours, base, base, []string{ours}, nil},
		{"behind", base, theirs, base, nil, []string{theirs, squashed, code}},
		{"both", ours, theirs, base, []string{ours}, []string{theirs, squashed, code}},
		{"nothing in common", ours, unrelated, "", []string{ours, base}, []string{unrelated}},
	} {
		gotBase, ahead, behind, err := remote.Of(r).AheadBehind(t.Context(), test.ours, test.theirs)
		if err != nil || gotBase != test.base || !slices.Equal(ahead, test.ahead) || !slices.Equal(behind, test.behind) {
			t.Errorf("%s: base %s, ahead %s, behind %s, %v", test.name, gotBase, ahead, behind, err)
		}
	}
}
