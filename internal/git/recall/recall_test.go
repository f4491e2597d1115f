package recall_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/recall"
)

func TestAnswer(t *testing.T) {
	dir := t.TempDir()
	file, on := filepath.Join(dir, "answer"), []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	if err := os.WriteFile(on[0], []byte("1"), 0o666); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if _, settled := git.StateOf(on, now); settled {
		t.Error("a file that changed just now is settled")
	}
	state, settled := git.StateOf(on, now.Add(time.Hour))
	if !settled {
		t.Error("a file that changed an hour ago is not settled")
	}
	if _, ok := recall.Answer(file, now); ok {
		t.Error("recalled what was never kept")
	}
	recall.Keep(file, "1 2 3", on, state)
	if got, ok := recall.Answer(file, now); got != "1 2 3" || !ok {
		t.Errorf("recalled %q, %v", got, ok)
	}
	if err := os.WriteFile(on[1], []byte("2"), 0o666); err != nil { // it was not there before
		t.Fatal(err)
	}
	if _, ok := recall.Answer(file, now); ok {
		t.Error("recalled an answer though a file has changed")
	}
}
