package git_test

import (
	"path/filepath"
	"testing"

	"example.com/ckpt/internal/envtest"
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
		tree := filepath.Join(t.TempDir(), "tree")
		r.Git("worktree", "add", "-q", "-b", "agent", tree)
		bare := filepath.Join(t.TempDir(), "detached")
		r.Git("worktree", "add", "-q", "--detach", bare)
		for from, want := range map[string][]string{r.Dir: {bare, tree}, tree: {r.Dir, bare}} {
			got, err := gittest.Open(t, from).Branches().OtherFolders()
			if len(got) != 2 || got[0].Root != want[0] || got[1].Root != want[1] || err != nil {
				t.Errorf("from %s: got %v, want %q, %v", from, got, want, err)
			}
		}
	})
}
