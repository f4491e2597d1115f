package cli

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace"
)

// TestBrowsingFolders checks that the folder of this worktree's files is the first one.
func TestBrowsingFolders(t *testing.T) {
	envtest.Set(t)
	g := gittest.New(t)
	g.Commit("code", "main.go", "package main\n")
	other := filepath.Join(t.TempDir(), "other")
	g.Git("worktree", "add", "-q", "-b", "other", other)
	is := func(want ...string) {
		t.Helper()
		p, err := workspace.Open(t.Context(), workspace.Settings{Dir: g.Dir, Now: time.Now})
		gittest.Must(t, err)
		if got := (&Browsing{project: p}).Folders(); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	is(filepath.Join(g.Dir, "checkpoints"), filepath.Join(other, "checkpoints"))
	g.Git("config", "ckpt.commit", "ref")
	is(filepath.Join(g.Dir, ".ckpt"), filepath.Join(other, "checkpoints"), filepath.Join(other, ".ckpt"))
}
