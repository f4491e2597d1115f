package commit_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
)

// TestSilentHook names a hook as the cause if it refuses without output.
func TestSilentHook(t *testing.T) {
	files := []change.File{{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")}}
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Git("config", "ckpt.hooks", "all")
	g.Script(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
	d, err := prepare(t.Context(), g.Open(), files, "m", noon)
	gittest.Must(t, err)
	_, err = d.Land(t.Context(), writing(g, files))
	if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "it gave no reason") {
		t.Errorf("err = %v", err)
	}
}
