package edit_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/edit/edittest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace"
)

func read(t *testing.T, w *workspace.Workspace, path string) []byte {
	t.Helper()
	src, err := w.Disk.Read(path)
	gittest.Must(t, err)
	return src
}

// TestOneMoment limits how often a delta reads HEAD, takes ckpt's lock and loads the set. The limits may only
// go down. The first read of HEAD is the commit that everything is computed from. The others compare HEAD with
// it before the branch moves: once before the files are written, under the lock of the index, and once under
// the locks of HEAD and the branch, since `git commit` and `git update-ref` need no lock of the index then.
func TestOneMoment(t *testing.T) {
	for _, tt := range []struct {
		mode        string
		heads       int64
		locks, sets int64
	}{
		{mode: "own", heads: 3, locks: 1, sets: 1},
		{mode: "off", heads: 1, locks: 1, sets: 1},
		{mode: "ref", heads: 1, locks: 1, sets: 1},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			p := edittest.New(t, "main.go", "package main\n")
			p.Git("config", "ckpt.commit", tt.mode)
			p.New("a", "Problem of a.")
			p.Write("main.go", "package main // edited\n")
			p.Later()
			w := p.Workspace()
			_, err := edit.New(w).Delta(t.Context(), edit.DeltaRequest{Note: revise.Progress{Changed: "Wrote it."}})
			gittest.Must(t, err)
			if src := read(t, w, "active/chk-a.md"); !strings.Contains(string(src), "main.go") {
				t.Errorf("the delta lists no file:\n%s", src)
			}
			n := w.Repo.Counts
			for what, got := range map[string][2]int64{
				"HEAD was read":    {n.Heads.Load(), tt.heads},
				"a lock was taken": {n.Locks.Load(), tt.locks},
				"a set was loaded": {n.Sets.Load(), tt.sets},
			} {
				if got[0] > got[1] {
					t.Errorf("%s %d times, want at most %d", what, got[0], got[1])
				}
			}
		})
	}
}
