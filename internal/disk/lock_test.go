package disk

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
)

func TestLock(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "deep", "lock")
	a, err := Acquire(ctx, path, Exclusive, 0)
	must(t, err)

	_, err = Acquire(ctx, path, Exclusive, 10*time.Millisecond)
	if fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("second holder: %v", err)
	}
	if _, err := Acquire(ctx, path, Shared, 0); fault.KindOf(err) != fault.Busy {
		t.Errorf("shared beside exclusive: %v", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Acquire(gone, path, Exclusive, time.Minute); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}

	a.Unlock()
	a.Unlock()
	if src, err := os.ReadFile(path); err != nil || strings.Contains(string(src), strconv.Itoa(os.Getpid())) {
		t.Errorf("after Unlock the file holds %q, %v", src, err)
	}
	b, err := Acquire(ctx, path, Shared, 0)
	must(t, err)
	c, err := Acquire(ctx, path, Shared, 0)
	must(t, err)
	if _, err := Acquire(ctx, path, Exclusive, 0); fault.KindOf(err) != fault.Busy {
		t.Errorf("exclusive beside shared: %v", err)
	}
	b.Unlock()
	c.Unlock()
}

func TestLockWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	a, err := Acquire(t.Context(), path, Exclusive, 0)
	must(t, err)
	time.AfterFunc(20*time.Millisecond, a.Unlock)
	b, err := Acquire(t.Context(), path, Exclusive, 10*time.Second)
	must(t, err)
	b.Unlock()
}

// TestLockIsNoLink checks that no lock is written through a symbolic link.
func TestLockIsNoLink(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	must(t, os.WriteFile(precious, []byte("the user's\n"), 0o644))
	path := filepath.Join(dir, "lock")
	if err := os.Symlink(precious, path); err != nil {
		t.Skip(err)
	}
	if _, err := Acquire(t.Context(), path, Exclusive, 0); fault.KindOf(err) != fault.Refused || fault.HintOf(err) == "" {
		t.Errorf("err = %v", err)
	}
	wantFile(t, precious, "the user's\n")
}
