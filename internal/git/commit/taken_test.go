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

// Git ends without a word where files have been put back meanwhile, and where a hook
// that refuses gives no reason: the error names the cause.
func TestGitThatGivesNoReason(t *testing.T) {
	files := []change.File{{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")}}
	for _, c := range []struct {
		name    string
		init    []string
		arrange func(t *testing.T, g *gittest.Repo)
		kind    fault.Kind
		want    string
	}{
		{"files put back", []string{"--object-format=sha256"}, func(t *testing.T, g *gittest.Repo) { g.Git("checkout", "--", ".") },
			fault.Busy, "another program has changed the files"},
		{"a silent hook", nil, func(t *testing.T, g *gittest.Repo) { g.Script(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n") },
			fault.Refused, "it gave no reason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t, c.init...)
			g.Commit("base", gittest.Base()...)
			if c.init == nil {
				g.Git("config", "ckpt.hooks", "all")
				g.Script(".git/hooks/pre-commit", "#!/bin/sh\n")
			}
			d, err := prepare(t.Context(), g.Open(), files, "m", noon)
			gittest.Must(t, err)
			g.Apply(files)
			c.arrange(t, g)
			_, err = d.Land(t.Context())
			if fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v", err)
			}
		})
	}
}
