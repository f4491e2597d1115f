package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/core/fault"
)

func TestLockFiles(t *testing.T) {
	r := &Repo{gitDir: t.TempDir()}
	index := filepath.Join(r.gitDir, "index")
	a, err := r.newLockFiles()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.take(t.Context(), index, time.Now()); err != nil {
		t.Fatal(err)
	}
	if !ours(index + ".lock") {
		t.Error("the lock does not bear the mark")
	}
	a.close()
	left, err := filepath.Glob(filepath.Join(r.gitDir, "*", ".*"))
	if _, serr := os.Lstat(index + ".lock"); serr == nil || len(left) > 0 || err != nil {
		t.Errorf("left over: %v", left)
	}

	if err := os.WriteFile(index+".lock", nil, 0o644); err != nil { // somebody else's
		t.Fatal(err)
	}
	b, err := r.newLockFiles()
	if err != nil {
		t.Fatal(err)
	}
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
