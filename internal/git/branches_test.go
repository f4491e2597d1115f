package git_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

// eachShape runs a test in repositories that keep objects and refs in different ways.
func eachShape(t *testing.T, test func(t *testing.T, r *gittest.Repo)) {
	for name, args := range map[string][]string{
		"sha1": nil, "sha256": {"--object-format=sha256"}, "reftable": {"--ref-format=reftable"},
	} {
		t.Run(name, func(t *testing.T) {
			envtest.Set(t)
			r := &gittest.Repo{T: t, Dir: t.TempDir()}
			if said, err := r.TryGit(append([]string{"init", "-q", "-b", "main"}, args...)...); err != nil {
				t.Skipf("this git: %s", said)
			}
			test(t, r)
		})
	}
}

func TestBranches(t *testing.T) {
	eachShape(t, func(t *testing.T, r *gittest.Repo) {
		r.Commit("m", "x", "1")
		first := r.Git("rev-parse", "HEAD")
		r.Git("branch", "packed/one")
		r.Git("update-ref", "refs/remotes/origin/far", first)
		r.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/far")
		r.Git("pack-refs", "--all")
		r.Git("branch", "loose")
		tree := filepath.Join(t.TempDir(), "tree")
		r.Git("worktree", "add", "-q", "-b", "agent", tree)
		bare := filepath.Join(t.TempDir(), "detached")
		r.Git("worktree", "add", "-q", "--detach", bare)
		r.Commit("m", "x", "2")
		r.Git("branch", "-f", "packed/one", "HEAD") // loose now, and packed as it was
		second := r.Git("rev-parse", "HEAD")

		var got []string
		for _, b := range branchesOf(t, r.Dir) {
			got = append(got, strings.Join([]string{b.Name, b.Commit, filepath.Base(b.Worktree)}, " "))
		}
		want := []string{
			first[:12] + " " + first + " detached", "agent " + first + " tree",
			"loose " + first + " .", "packed/one " + second + " .", "origin/far " + first + " .",
		}
		slices.Sort(want[:2]) // by name
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		got = nil
		for _, b := range branchesOf(t, tree) { // the main working tree is another one there
			if b.Worktree != "" {
				got = append(got, b.Name+" "+filepath.Base(b.Worktree))
			}
		}
		if want := []string{first[:12] + " detached", "main " + filepath.Base(r.Dir)}; !slices.Equal(got, want) { // hex digits sort before m
			t.Errorf("from a linked worktree: got %q, want %q", got, want)
		}
	})
}

func branchesOf(t *testing.T, dir string) []git.Branch {
	t.Helper()
	all, err := gittest.Open(t, dir).Branches().All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return all
}
