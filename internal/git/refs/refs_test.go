package refs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

func TestLockFiles(t *testing.T) {
	dir := t.TempDir()
	locks := Open(dir, dir, func() disk.Sharing { return disk.Sharing{} }).Locks
	own, err := disk.Acquire(t.Context(), locks.File(), disk.Exclusive, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Unlock()
	index := filepath.Join(dir, "index")
	a := locks.NewSet()
	if err := a.Take(t.Context(), index, time.Now()); err != nil {
		t.Fatal(err)
	}
	if !locks.Ours(index + ".lock") {
		t.Error("the lock is not known for ours")
	}
	a.Release()
	left, err := filepath.Glob(filepath.Join(dir, "*", ".*"))
	if _, serr := os.Lstat(index + ".lock"); serr == nil || len(left) > 0 || err != nil {
		t.Errorf("left over: %v", left)
	}

	if err := os.WriteFile(index+".lock", nil, 0o644); err != nil { // another program's
		t.Fatal(err)
	}
	b := locks.NewSet()
	defer b.Release()
	err = b.Take(t.Context(), index, time.Now().Add(20*time.Millisecond))
	if fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), index+".lock") || !strings.Contains(fault.HintOf(err), "remove") {
		t.Errorf("a lock of another program: %v, hint %q", err, fault.HintOf(err))
	}
	time.AfterFunc(10*time.Millisecond, func() { _ = os.Remove(index + ".lock") })
	if err := b.Take(t.Context(), index, time.Now().Add(5*time.Second)); err != nil {
		t.Errorf("after it was given back: %v", err)
	}
}

// A file that a kill leaves in refs/heads would be a broken branch to git.
func TestStageRef(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir, dir, func() disk.Sharing { return disk.Sharing{} })
	heads := filepath.Join(dir, "refs", "heads")
	for _, made := range []string{heads, filepath.Join(dir, "ckpt")} {
		if err := os.MkdirAll(made, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	ref, err := s.Stage("refs/heads/main", "123")
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(heads); len(entries) > 0 {
		t.Errorf("refs/heads holds %s", entries[0].Name())
	}
	if err := ref.Commit(); err != nil {
		t.Error(err)
	}
	if value, _ := os.ReadFile(filepath.Join(heads, "main")); string(value) != "123\n" {
		t.Errorf("main = %q", value)
	}
}
