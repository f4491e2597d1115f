package disk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func TestReplaceFile(t *testing.T) {
	for _, tt := range []struct {
		name          string
		is            []byte // nil: there is no file
		before, after []byte // after is nil: remove
		want          string // "": there is no file
		changed       bool
	}{
		{"as it was", []byte("a"), []byte("a"), []byte("b"), "b", false},
		{"new", nil, nil, []byte("b"), "b", false},
		{"edited", []byte("e"), []byte("a"), []byte("b"), "e", true},
		{"created", []byte("e"), nil, []byte("b"), "e", true},
		{"removed", nil, []byte("a"), []byte("b"), "", true},
		{"empty is not missing", []byte(""), nil, []byte("b"), "", true},
		{"remove", []byte("a"), []byte("a"), nil, "", false},
		{"remove what was edited", []byte("e"), []byte("a"), nil, "e", true},
		{"remove what is gone", nil, []byte("a"), nil, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c.md")
			if tt.is != nil {
				must(t, os.WriteFile(path, tt.is, 0o600))
			}
			err := replaceOrRemove(path, tt.before, tt.after)
			if errors.Is(err, ErrChanged) != tt.changed || err != nil && !tt.changed {
				t.Errorf("err = %v", err)
			}
			got, _ := os.ReadFile(path)
			if string(got) != tt.want {
				t.Errorf("the file is %q, want %q", got, tt.want)
			}
			if tt.is != nil && tt.want != "" {
				wantMode(t, path, 0o600)
			}
			wantNoTemps(t, filepath.Dir(path))
		})
	}
}

// TestReplaceFileAgainstAnEditor lets an editor save the file at any moment. Its text stays in the file.
func TestReplaceFileAgainstAnEditor(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("two files cannot be exchanged in one step")
	}
	dir := t.TempDir()
	path, draft := filepath.Join(dir, "c.md"), filepath.Join(dir, "draft")
	for round := range 3000 {
		after := []byte("ckpt's")
		if round%3 == 0 {
			after = nil
		}
		must(t, os.WriteFile(path, []byte("old"), 0o600))
		must(t, os.WriteFile(draft, []byte("edited"), 0o600))
		var wg sync.WaitGroup
		start := make(chan struct{})
		wg.Go(func() {
			<-start
			for range round % 50 {
				runtime.Gosched()
			}
			if err := os.Rename(draft, path); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			<-start
			if err := replaceOrRemove(path, []byte("old"), after); err != nil && !errors.Is(err, ErrChanged) {
				t.Error(err)
			}
		})
		close(start)
		wg.Wait()
		if got, err := os.ReadFile(path); string(got) != "edited" {
			t.Fatalf("round %d: the file is %q, %v", round, got, err)
		}
	}
	wantNoTemps(t, dir)
}

func replaceOrRemove(path string, before, after []byte) error {
	if after == nil {
		return RemoveFile(path, before)
	}
	return ReplaceFile(path, before, after)
}
