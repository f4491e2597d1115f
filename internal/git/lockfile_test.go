package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

func TestLockFiles(t *testing.T) {
	dir := t.TempDir()
	r := &Repo{gitDir: dir, commonDir: dir, program: &program{}}
	unlock, err := r.Lock(t.Context(), disk.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	index := filepath.Join(r.gitDir, "index")
	a := &lockFiles{repo: r}
	if err := a.take(t.Context(), index, time.Now()); err != nil {
		t.Fatal(err)
	}
	if !r.ours(index + ".lock") {
		t.Error("the lock is not known for ours")
	}
	a.close()
	left, err := filepath.Glob(filepath.Join(r.gitDir, "*", ".*"))
	if _, serr := os.Lstat(index + ".lock"); serr == nil || len(left) > 0 || err != nil {
		t.Errorf("left over: %v", left)
	}

	if err := os.WriteFile(index+".lock", nil, 0o644); err != nil { // somebody else's
		t.Fatal(err)
	}
	b := &lockFiles{repo: r}
	defer b.close()
	err = b.take(t.Context(), index, time.Now().Add(20*time.Millisecond))
	if fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), index+".lock") || !strings.Contains(fault.HintOf(err), "remove") {
		t.Errorf("a lock of another program: %v, hint %q", err, fault.HintOf(err))
	}
	time.AfterFunc(10*time.Millisecond, func() { _ = os.Remove(index + ".lock") })
	if err := b.take(t.Context(), index, time.Now().Add(5*time.Second)); err != nil {
		t.Errorf("after it was given back: %v", err)
	}
}
