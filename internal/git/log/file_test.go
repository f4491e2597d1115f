package log_test

import (
	"slices"
	"testing"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/log"
)

// TestHistoryOfFile: commits of the code are left out, and a merge that took one side unchanged is not.
func TestHistoryOfFile(t *testing.T) {
	t.Setenv("GIT_COMMITTER_DATE", "2026-01-02T03:00:00Z")
	g := gittest.New(t)
	head := func(name, file, text string) string {
		g.Commit(name, file, text)
		return g.Git("rev-parse", "HEAD")
	}
	one := head("one", "notes/a.md", "1\n")
	head("code", "code.go", "package code\n")
	g.Git("checkout", "-q", "-b", "side")
	side := head("side", "notes/a.md", "1\nside\n")
	code := head("side code", "code.go", "package code // side\n")
	g.Git("checkout", "-q", "main")
	two := head("two", "notes/a.md", "1\n2\n")
	g.Git("merge", "-q", "-s", "ours", "-m", "merge", "side")
	merge := g.Git("rev-parse", "HEAD")
	other := g.Git("commit-tree", "-m", "other", "-p", one, side+"^{tree}")

	r := g.Open()
	commits, err := log.Of(r).History(t.Context(), log.Files{Dir: "notes", Names: []string{"a.md"}}, other)
	gittest.Must(t, err)
	var got []string
	for _, c := range commits {
		got = append(got, c.Hash)
	}
	want := []string{one, side, two, merge, other}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the commits are %q, not %q", got, want)
	}
	for commit, last := range map[string]string{code: side, merge: two, g.Git("rev-parse", two+"~"): one} {
		c, ok, err := log.Of(r).Last(t.Context(), log.Files{Dir: "notes", Names: []string{"a.md"}}, commit)
		gittest.Must(t, err)
		if !ok || c.Hash != last {
			t.Errorf("the last of %s is %q, not %s", commit, c.Hash, last)
		}
	}
}
