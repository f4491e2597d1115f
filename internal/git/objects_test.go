package git_test

import (
	"context"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/gittest"
)

func TestTreeAndBlob(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	r, head := g.Open(), g.Git("rev-parse", "HEAD")
	files, err := r.Objects().Tree("checkpoints/active")
	gittest.Must(t, err)
	if len(files) != 3 || files["x.md"] != r.Objects().BlobHash([]byte("one\n")) || files["sub/y.md"] == "" {
		t.Errorf("tree = %v", files)
	}
	data, err := r.Objects().Blob(files["x.md"])
	if string(data) != "one\n" || err != nil {
		t.Errorf("blob = %q, %v", data, err)
	}
	if none, err := r.Objects().Tree("nowhere/at/all"); len(none) != 0 || err != nil {
		t.Errorf("nowhere: %v, %v", none, err)
	}
	if none, err := r.Objects().Tree("a.txt/b"); len(none) != 0 || err != nil {
		t.Errorf("below a file: %v, %v", none, err)
	}
	was, err := r.Objects().FileAt(t.Context(), head, "checkpoints/active/x.md")
	if string(was) != "one\n" || err != nil {
		t.Errorf("FileAt = %q, %v", was, err)
	}
	if none, err := r.Objects().FileAt(t.Context(), head, "no.md"); none != nil || err != nil {
		t.Errorf("FileAt no.md: %q, %v", none, err)
	}
}

func TestLock(t *testing.T) {
	g := gittest.New(t)
	a, b := g.Open(), g.Open()
	unlock, err := a.Lock(t.Context(), disk.Exclusive)
	gittest.Must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.Lock(ctx, disk.Shared); err == nil {
		t.Error("two hold the lock")
	}
	unlock()
	unlock, err = b.Lock(t.Context(), disk.Shared)
	gittest.Must(t, err)
	unlock()
}
