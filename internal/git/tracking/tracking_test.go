package tracking_test

import (
	"fmt"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/tracking"
)

var paths = []string{"notes/active", "notes/LEARNINGS.md"}

// TestAny moves branches in every way that git knows. The answer is right each time, although it is
// remembered.
func TestAny(t *testing.T) {
	for name, args := range map[string][]string{
		"sha1": nil, "sha256": {"--object-format=sha256"}, "reftable": {"--ref-format=reftable"},
	} {
		t.Run(name, func(t *testing.T) {
			envtest.Set(t)
			r := &gittest.Repo{T: t, Dir: t.TempDir()}
			if said, err := r.TryGit(append([]string{"init", "-q", "-b", "main"}, args...)...); err != nil {
				t.Skipf("this git: %s", said)
			}
			is := func(want bool, after string) {
				t.Helper()
				repo, err := git.Open(r.Dir)
				gittest.Must(t, err)
				for range 2 {
					got, err := tracking.Any(t.Context(), repo, paths, "apart")
					gittest.Must(t, err)
					if got != want {
						t.Errorf("after %s: %v", after, got)
					}
				}
			}
			is(false, "init")
			r.Commit("code", "main.go", "package main\n", "notes/config.yaml", "commit: ref\n")
			is(false, "a commit with other files")
			r.Git("switch", "-q", "-c", "side")
			r.Commit("notes", "notes/active/a.md", "a\n")
			is(true, "a commit at HEAD")
			r.Git("switch", "-q", "main")
			is(true, "a switch away")
			r.Git("branch", "-m", "side", "apart")
			is(false, "the branch became the excepted one")
			r.Git("update-ref", "refs/remotes/origin/apart", "apart")
			is(false, "a remote has it, too")
			r.Git("update-ref", "refs/remotes/origin/a/b", "apart")
			is(true, "a branch of a remote")
			r.Git("pack-refs", "--all")
			is(true, "the refs were packed")
			r.Git("update-ref", "-d", "refs/remotes/origin/a/b")
			is(false, "it is gone")
			r.Git("checkout", "-q", "--detach", "apart")
			is(true, "a detached HEAD")
			r.Git("checkout", "-q", "main")
			is(false, "back")
			for i := range 20 {
				r.Git("branch", fmt.Sprintf("feature/%d", i))
			}
			is(false, "many branches")
			r.Git("branch", "-f", "feature/7", "apart")
			is(true, "one of many")
		})
	}
}

// A clone that lacks trees answers without the network: that a branch may track the files, if it lacks
// those of the branch.
func TestAnyInClones(t *testing.T) {
	envtest.Set(t)
	r := gittest.New(t)
	r.Commit("code", "main.go", "package main\n", "notes/config.yaml", "commit: ref\n")
	r.Git("config", "uploadpack.allowFilter", "true")
	r.Git("branch", "side")
	ask := func(want bool, args ...string) {
		t.Helper()
		dir := t.TempDir()
		r.Git(append(append([]string{"clone", "-q"}, args...), "file://"+r.Dir, dir)...)
		clone := &gittest.Repo{T: t, Dir: dir}
		clone.Git("remote", "set-url", "origin", "file:///nonexistent")
		repo, err := git.Open(dir)
		gittest.Must(t, err)
		got, err := tracking.Any(t.Context(), repo, paths, "apart")
		gittest.Must(t, err)
		if got != want {
			t.Errorf("clone %q: %v", args, got)
		}
	}
	treeless, cut := "--filter=tree:0", []string{"--depth=1", "--no-single-branch"}
	ask(false, treeless)
	ask(false, cut...)
	r.Git("switch", "-q", "side")
	r.Commit("more", "main.go", "package more\n")
	r.Git("switch", "-q", "main")
	ask(true, treeless)
	ask(false, treeless, "--single-branch")
	ask(false, "--filter=blob:none")
	ask(false, cut...)
	r.Git("switch", "-q", "side")
	r.Commit("notes", "notes/active/a.md", "a\n")
	r.Git("switch", "-q", "main")
	ask(true, treeless)
	ask(true, "--filter=blob:none")
	ask(true, cut...)
}
