package tracking_test

import (
	"fmt"
	"testing"

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
			gittest.SetEnv(t)
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
