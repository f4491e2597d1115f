package remote_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/remote"
)

// TestApart: where two commits went apart, and what each of them has.
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
	r := open(t, g)

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
	met, err := remote.Of(r).LastEqual(t.Context(), []string{ours}, []string{theirs, squashed, code}, "c")
	if err != nil || met != squashed {
		t.Errorf("they met in %q, %v", met, err)
	}
	beyond, err := remote.Of(r).Outside(t.Context(), []string{ours, theirs, squashed, code, unrelated}, "c")
	if _, has := beyond[code]; err != nil || len(beyond) != 2 || !has {
		t.Errorf("beyond the folder: %v, %v", beyond, err)
	}
}

// TestMakeAndMove makes a merge as objects, by both ways of storing it, and moves the branch
// there. What is staged and edited besides stays; a branch that has moved is left alone.
func TestMakeAndMove(t *testing.T) {
	for name, init := range map[string][]string{"own": nil, "by git": {"--object-format=sha256"}} {
		t.Run(name, func(t *testing.T) {
			g := gittest.New(t, init...)
			g.Commit("base", "c/a.md", "1\n", "c/old.md", "1\n", "code", "1\n")
			g.Git("branch", "side")
			g.Commit("ours", "c/a.md", "2\n")
			ours, side := g.Git("rev-parse", "HEAD"), g.Git("rev-parse", "side")
			g.Write("code", "2\n")
			g.Git("add", "code")
			r, now := open(t, g), time.Unix(1767348000, 0)
			on, err := r.Checkout()
			must(t, err)
			old, err := r.Objects().FolderAt(t.Context(), ours, "c")
			must(t, err)
			commit, err := r.Committer().Make(t.Context(), git.NewCommit{Parents: []string{ours, side}, Message: "Merge\n", Time: now,
				Files:    map[string]git.Entry{"c/a.md": git.FileEntry(""), "c/old.md": {}, "c/new/b.md": old["old.md"]},
				Contents: map[string][]byte{"c/a.md": []byte("3\n")}})
			must(t, err)
			if got := g.Git("log", "-1", "--format=%P %s %an", commit); got != ours+" "+side+" Merge Test" {
				t.Error(got)
			}
			made, err := r.Objects().FolderAt(t.Context(), commit, "c")
			must(t, err)
			if len(made) != 2 || made["new/b.md"] != old["old.md"] || g.Git("show", commit+":c/a.md") != "3" || g.Git("show", commit+":code") != "1" {
				t.Errorf("made %v", made)
			}

			index := map[string]git.Entry{"c/a.md": made["a.md"], "c/old.md": {}, "c/new/b.md": made["new/b.md"]}
			late, err := r.Committer().PrepareMove(t.Context(), on, ours, commit, index, nil, "test", now)
			must(t, err)
			draft, err := r.Committer().PrepareMove(t.Context(), on, ours, commit, index, nil, "test", now)
			must(t, err)
			_, err = draft.Land(t.Context())
			must(t, err)
			if _, err = late.Land(t.Context()); !errors.Is(err, git.ErrMoved) {
				t.Errorf("it moved twice: %v", err)
			}
			g.Git("checkout-index", "-a", "-f")
			g.Git("rm", "-q", "--cached", "--ignore-unmatch", "c/old.md")
			if got := g.Git("rev-parse", "HEAD"); got != commit {
				t.Errorf("HEAD is %s", got)
			}
			if got := g.Git("diff", "--cached", "--name-status"); got != "M\tcode" {
				t.Errorf("staged: %q", got)
			}
			if got := g.Git("fsck", "--strict"); got != "" {
				t.Error(got)
			}
		})
	}
}
