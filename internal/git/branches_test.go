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
	"example.com/ckpt/internal/git/log"
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

func TestBeside(t *testing.T) {
	eachShape(t, func(t *testing.T, r *gittest.Repo) {
		ctx := context.Background()
		r.Commit("m", "c/active/a.md", "1", "c/LEARNINGS.md", "old", "code", "1")
		fork := r.Git("rev-parse", "HEAD")
		r.Git("switch", "-q", "-c", "feat")
		r.Commit("m", "c/active/b.md", "new", "c/archive/2026/01/d.md", "deep", "c/LEARNINGS.md", "grown")
		feat := r.Git("rev-parse", "HEAD")
		r.Git("switch", "-q", "main")
		r.Commit("m", "code", "2")
		own := r.Git("rev-parse", "HEAD")
		repo := gittest.Open(t, r.Dir)

		unreached, err := log.Of(repo).Unreached(ctx, own, []string{fork, feat, own})
		if err != nil || !slices.Equal(unreached, []string{feat}) {
			t.Fatalf("Unreached: %q, %v", unreached, err)
		}
		commits, err := log.Of(repo).Outside(ctx, []string{own}, unreached, "c")
		if err != nil || len(commits) != 1 || len(commits[0].Files) != 3 {
			t.Fatalf("Beside: %+v, %v", commits, err)
		}
		wanted := map[string]bool{"active/b.md": true, "archive/2026/01/d.md": true, "active/a.md": true}
		var got []string
		err = log.Of(repo).FilesAt(ctx, []string{fork, feat, own}, "c", wanted, func(commit string, files map[string]string) {
			names := []string{}
			for path, blob := range files {
				src, err := repo.Objects().Blob(blob)
				if err != nil {
					t.Error(err)
				}
				names = append(names, path+"="+string(src))
			}
			slices.Sort(names)
			got = append(got, strings.Join(names, " "))
		})
		want := []string{"active/a.md=1", "active/a.md=1 active/b.md=new archive/2026/01/d.md=deep", "active/a.md=1"}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("FilesAt: %q, %v; want %q", got, err, want)
		}
		if err := log.Of(repo).FilesAt(ctx, []string{own}, "nowhere", wanted, func(_ string, files map[string]string) {
			if len(files) > 0 {
				t.Errorf("a folder that is not there has %q", files)
			}
		}); err != nil {
			t.Error(err)
		}
	})
}

func TestGrown(t *testing.T) {
	r := gittest.New(t)
	r.Commit("m", "c/archive/a.md", "1")
	first := r.Git("rev-parse", "HEAD")
	r.Commit("m", "code", "1")
	r.Commit("m", "code", "2")
	grown := r.Git("rev-parse", "HEAD")
	r.Commit("m", "c/archive/a.md", "2")
	archived := r.Git("rev-parse", "HEAD")
	r.Git("switch", "-q", "-c", "side", grown)
	r.Commit("m", "side", "1")
	r.Git("switch", "-q", "main")
	r.Git("reset", "-q", "--hard", grown)
	r.Git("merge", "-q", "--no-ff", "-m", "merge", "side")
	merged := r.Git("rev-parse", "HEAD")
	repo := gittest.Open(t, r.Dir)
	for _, test := range []struct {
		name, from, to string
		most           int
		want           bool
	}{
		{"two commits on", first, grown, 5, true},
		{"too many", first, grown, 1, false},
		{"backwards", grown, first, 5, false},
		{"another archive", first, archived, 5, false},
		{"a merge", first, merged, 5, false},
		{"no such commit", strings.Repeat("1", 40), grown, 5, false},
	} {
		if got := log.Of(repo).Grown(test.from, test.to, test.most, "c/archive"); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
