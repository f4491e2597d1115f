package checkout

import (
	"errors"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/gittest"
)

// TestLandTakesBackOnlyWhatItWrote publishes on a branch while git has checked out another one, which has the new
// version of the file already.
func TestLandTakesBackOnlyWhatItWrote(t *testing.T) {
	const path = "checkpoints/active/chk-a.md"
	g := gittest.New(t)
	g.Write(path, "before\n")
	g.Git("add", ".")
	g.Git("commit", "-q", "-m", "Before")
	repo, err := git.Open(g.Dir)
	gittest.Must(t, err)
	on, err := repo.Checkout()
	gittest.Must(t, err)
	g.Git("switch", "-q", "-c", "other")
	g.Write(path, "after\n")
	g.Git("commit", "-q", "-a", "-m", "After")

	b := OnBranch(repo, "checkpoints", ckptref.Ref{}).During(on)
	files := []change.File{{Path: path, Before: []byte("before\n"), After: []byte("after\n")}}
	_, err = b.land(t.Context(), new(State), files, "Publish\n", time.Now(), b.writeAll)
	if !errors.Is(err, git.ErrLeft) && !errors.Is(err, git.ErrMoved) {
		t.Errorf("the error is %v", err)
	}
	if src, err := disk.ReadFile(repo.PathOf(path)); string(src) != "after\n" {
		t.Errorf("the file of the other branch is %q, %v", src, err)
	}
}
