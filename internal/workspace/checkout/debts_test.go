package checkout

import (
	"path/filepath"
	"testing"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/gittest"
)

// TestTorn reads the records of a clone after a crash has cut their last lines off: what is left of those is
// nothing that a branch has, or has yet to get.
func TestTorn(t *testing.T) {
	g := gittest.New(t)
	repo, err := git.Open(g.Dir)
	gittest.Must(t, err)
	b := OnBranch(repo, "checkpoints", ckptref.Ref{})
	for name, text := range map[string]string{
		"unpublished": "main active/chk-a.md\nmain active/chk",
		"heads":       "0123456789abcdef 89abcdef0123\n0123",
	} {
		file := filepath.Join(repo.CommonDir(), "ckpt", name)
		gittest.Must(t, disk.WriteFile(file, []byte(text), false))
	}
	if d := b.debts(); len(d.list) != 1 || !d.has("main", "active/chk-a.md") {
		t.Errorf("debts: %v", d.list)
	}
	h, err := b.heads()
	gittest.Must(t, err)
	if len(h.commits) != 1 || !h.has("0123456789abcdef") {
		t.Errorf("commits of branches: %v", h.commits)
	}
}
