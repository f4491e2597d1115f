package commit_test

import (
	"errors"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
)

// A commit goes to the branch that was checked out when the operation began, or nowhere.
func TestLandAfterHeadMoved(t *testing.T) {
	file := change.File{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("one\ntwo\n")}
	for _, test := range []struct {
		name      string
		meanwhile func(g *gittest.Repo)
		want      error
	}{
		{"nothing", func(*gittest.Repo) {}, nil},
		{"a commit of another file", func(g *gittest.Repo) { g.Commit("more", "b.txt", "b") }, git.ErrMoved},
		{"another branch", func(g *gittest.Repo) { g.Git("checkout", "-q", "-b", "other") }, git.ErrLeft},
		{"a detached HEAD", func(g *gittest.Repo) { g.Git("checkout", "-q", "--detach") }, git.ErrLeft},
		{"a bisect", func(g *gittest.Repo) { g.Git("bisect", "start") }, git.ErrLeft},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", gittest.Base()...)
			r := g.Open()
			on, err := r.Checkout()
			gittest.Must(t, err)
			d, err := commit.Of(r).Prepare(t.Context(), on, []change.File{file}, "m", noon)
			gittest.Must(t, err)
			test.meanwhile(g)
			before := g.Git("for-each-ref") + g.Git("rev-parse", "HEAD")
			if _, err = d.Land(t.Context(), func() error { return nil }); !errors.Is(err, test.want) {
				t.Fatalf("Land = %v, want %v", err, test.want)
			}
			if test.want != nil && before != g.Git("for-each-ref")+g.Git("rev-parse", "HEAD") {
				t.Error("a ref has moved")
			}
			if test.want == nil && g.Git("show", "main:"+file.Path) != "one\ntwo" {
				t.Errorf("main has %q", g.Git("show", "main:"+file.Path))
			}
		})
	}
}
