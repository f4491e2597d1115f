package disk_test

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
)

func TestClaim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claims", "a")
	start := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {time.Second, false}, {59 * time.Second, false}, {60 * time.Second, true}, {61 * time.Second, false}, {2 * time.Hour, true}} {
		got, err := disk.Claim(path, time.Minute, start.Add(c.after))
		if err != nil || got != c.want {
			t.Errorf("after %s: %v, %v; want %v", c.after, got, err, c.want)
		}
	}
	disk.Expire(filepath.Dir(path), time.Hour, start.Add(2*time.Hour))
	if !disk.Exists(path) {
		t.Error("a fresh claim has expired")
	}
	disk.Expire(filepath.Dir(path), time.Hour, start.Add(4*time.Hour))
	if disk.Exists(path) {
		t.Error("an old claim has not expired")
	}
}

// TestClaimAtOnce lets many claim a path at once: one succeeds.
func TestClaimAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var won atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if first, err := disk.Claim(path, time.Minute, time.Now()); err != nil {
				t.Error(err)
			} else if first {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d won", won.Load())
	}
}
