package remote_test

import (
	"testing"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, g *gittest.Repo) *git.Repo {
	t.Helper()
	r, err := git.Open(g.Dir)
	must(t, err)
	return r
}
