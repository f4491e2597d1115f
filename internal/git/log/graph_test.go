package log_test

import (
	"slices"
	"testing"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/log"
)

// TestGraph: the lines of a history meet where they do, whatever the commits of the code between them, and a merge
// that took one side unchanged has both.
func TestGraph(t *testing.T) {
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

	r, err := git.Open(g.Dir)
	gittest.Must(t, err)
	graph, err := log.Of(r).Graph(t.Context(), "notes", other)
	gittest.Must(t, err)
	parents := map[string][]string{}
	for _, c := range graph.Commits {
		parents[c.Hash] = c.Parents
	}
	want := map[string][]string{one: nil, side: {one}, two: {one}, merge: {two, side}, other: {one}}
	if len(parents) != len(want) {
		t.Errorf("%d commits, not %d", len(parents), len(want))
	}
	for hash, p := range want {
		if got, listed := parents[hash]; !listed || !slices.Equal(got, p) {
			t.Errorf("%s has the parents %q, not %q", g.Git("log", "-1", "--format=%s", hash), got, p)
		}
	}
	for commit, nearest := range map[string]string{code: side, merge: merge, g.Git("rev-parse", two+"~"): one} {
		c, ok, err := graph.Nearest(t.Context(), commit)
		gittest.Must(t, err)
		if !ok || c.Hash != nearest {
			t.Errorf("the nearest of %s is %q, not %s", commit, c.Hash, nearest)
		}
	}
}
