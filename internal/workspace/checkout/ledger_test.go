package checkout

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/gittest"
)

func openLedger(t *testing.T, b Branch) *ledger {
	t.Helper()
	l, err := b.ledger()
	gittest.Must(t, err)
	return l
}

func branchOf(t *testing.T) Branch {
	t.Helper()
	g := gittest.New(t)
	repo, err := git.Open(g.Dir)
	gittest.Must(t, err)
	return OnBranch(repo, "checkpoints", ckptref.Ref{})
}

// TestTorn reads a ledger after a crash has cut its last line off. That line does not count, and does not spoil
// the line after it.
func TestTorn(t *testing.T) {
	b := branchOf(t)
	file := filepath.Join(b.Repo.CommonDir(), "ckpt", "branches")
	text := "seen 0123\nowed main 4567 active/chk-a.md\nowed main 4567 active/chk"
	gittest.Must(t, disk.WriteFile(file, []byte(text), false))
	l := openLedger(t, b)
	if len(l.owed) != 1 || !l.belongs("active/chk-a.md", "main") || !slices.Equal(l.seen, []string{"0123"}) {
		t.Errorf("ledger: %+v", l)
	}
	gittest.Must(t, l.add("home main active/chk-b.md"))
	if l := openLedger(t, b); len(l.owed) != 1 || !l.belongs("active/chk-b.md", "main") {
		t.Errorf("ledger: %+v", l)
	}
}

// TestLedgerStaysShort adds many lines, of which few count.
func TestLedgerStaysShort(t *testing.T) {
	b := branchOf(t)
	for i := range 1000 {
		l := openLedger(t, b)
		path := fmt.Sprintf("active/a\nfile %d.md", i%3)
		gittest.Must(t, l.add("home main "+path, fmt.Sprintf("owed topic c%d %s", i, path)))
		gittest.Must(t, l.add("paid topic "+path, fmt.Sprintf("seen %d %d", i, i-1)))
	}
	l := openLedger(t, b)
	if len(l.home) != 3 || len(l.owed) != 0 || !slices.Equal(l.seen, []string{"999"}) {
		t.Errorf("ledger: %d homes, %d debts, seen %v", len(l.home), len(l.owed), l.seen)
	}
	info, err := os.Stat(l.file)
	gittest.Must(t, err)
	if info.Size() > 10_000 {
		t.Errorf("the file has %d bytes", info.Size())
	}
}
