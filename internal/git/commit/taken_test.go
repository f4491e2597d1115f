package commit_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
)

// A `git commit -a` of the user's that is quicker commits our files, too: the change
// is in the branch, and nothing is left to commit.
func TestFilesThatAnotherCommitTakes(t *testing.T) {
	for _, byGit := range []bool{false, true} {
		g := gittest.New(t)
		g.Commit("base", gittest.Base()...)
		if byGit {
			chooseGit(t, g)
		}
		files := gittest.Operation()
		d, err := prepare(t.Context(), g.Open(), files, "m", noon)
		gittest.Must(t, err)
		g.Apply(files)
		g.Write("a.txt", "the user's\n")
		g.Git("add", "--all")
		g.Git("commit", "-q", "-m", "the user's")
		head := g.Git("rev-parse", "HEAD")

		hash, err := d.Land(t.Context())

		if hash != "" || err != nil {
			t.Errorf("by git %v: landed %q, %v", byGit, hash, err)
		}
		if now := g.Git("rev-parse", "HEAD"); now != head {
			t.Errorf("by git %v: HEAD moved:\n%s", byGit, g.Git("log", "--name-only"))
		}
		if status := g.Git("status", "--porcelain"); status != "" {
			t.Errorf("by git %v: status:\n%s", byGit, status)
		}
	}
}

// TestSilentHook: a hook that refuses without a word is named as the cause.
func TestSilentHook(t *testing.T) {
	files := []change.File{{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")}}
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Git("config", "ckpt.hooks", "all")
	g.Script(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
	d, err := prepare(t.Context(), g.Open(), files, "m", noon)
	gittest.Must(t, err)
	g.Apply(files)
	_, err = d.Land(t.Context())
	if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "it gave no reason") {
		t.Errorf("err = %v", err)
	}
}
