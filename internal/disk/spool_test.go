package disk

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/core/change"
)

func TestSpoolGivesBackWhatItKeeps(t *testing.T) {
	s := spool(t)
	var kept []change.Content
	for i := range 50 {
		c, err := s.Add(bytes.Repeat([]byte{byte(i)}, i))
		must(t, err)
		kept = append(kept, c)
	}
	for i, c := range kept {
		got, err := c.Bytes()
		must(t, err)
		if c.Size() != i || !bytes.Equal(got, bytes.Repeat([]byte{byte(i)}, i)) {
			t.Errorf("%d: %q, of size %d", i, got, c.Size())
		}
	}
}

func TestSpoolLeavesNothingBehind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	s, err := NewSpool(dir)
	must(t, err)
	_, err = s.Add([]byte("x"))
	must(t, err)
	s.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// What is held is in no folder even while it is in use: a kill leaves nothing.
func TestHold(t *testing.T) {
	dir := t.TempDir()
	s, err := Hold(dir, strings.NewReader("read once"))
	must(t, err)
	defer s.Close()
	if got, err := s.Bytes(); err != nil || string(got) != "read once" {
		t.Errorf("%q, %v", got, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// An operation that is too much for memory, killed between two renames: both ways lead
// to a whole state.
func TestLargeJournalRecovers(t *testing.T) {
	for name, recover := range map[string]func(*Journal) error{
		"back":    (*Journal).Revert,
		"forward": func(j *Journal) error { return errors.Join(j.Finish(), j.Done()) },
	} {
		root, dir, s := t.TempDir(), t.TempDir(), spool(t)
		files := []change.File{{Path: "old.md", Before: []byte("old"), After: []byte("new")}}
		put(t, root, "old.md", []byte("old"))
		for i := range 5 {
			c, err := s.Add(bytes.Repeat([]byte(fmt.Sprintln("line", i)), logMost/20))
			must(t, err)
			files = append(files, change.File{Path: fmt.Sprintf("active/%d.md", i), Kept: c})
		}
		j, err := Begin(dir, Operation{Root: root, Files: files, End: ToCommit, Sync: true})
		must(t, err)
		for _, staged := range j.temps[:3] {
			must(t, staged.Commit())
		}
		p, err := Pending(dir, root)
		must(t, err)
		if p.Files()[1].Kept == nil {
			t.Error("the content of a large operation is in memory")
		}
		must(t, recover(p))
		for _, f := range files {
			want, err := f.Content()
			must(t, err)
			if name == "back" {
				want = f.Before
			}
			if got, err := p.read(f); err != nil || !change.Same(got, want) {
				t.Errorf("%s: %s has %d bytes, want %d: %v", name, f.Path, len(got), len(want), err)
			}
		}
		if p, err := Pending(dir, root); p != nil || err != nil {
			t.Errorf("%s: pending still: %v, %v", name, p, err)
		}
	}
}

func spool(t *testing.T) *Spool {
	t.Helper()
	s, err := NewSpool(t.TempDir())
	must(t, err)
	t.Cleanup(s.Close)
	return s
}
