package object

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/fault"
)

// emptyDB returns an object database in a folder of its own.
func emptyDB(t *testing.T, format string) *Database {
	dir := filepath.Join(t.TempDir(), ".git")
	if out, err := envtest.Command("git", "init", "-q", "--bare", "--object-format="+format, dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %s", out)
	}
	return &Database{Options: Options{
		Dir:     filepath.Join(dir, "objects"),
		Hash:    map[string]func() hash.Hash{"sha1": sha1.New, "sha256": sha256.New}[format],
		Sharing: func() disk.Sharing { return disk.Sharing{} },
		CatFile: func() (*exec.Cmd, error) {
			return envtest.Command("git", "--git-dir="+dir, "cat-file", "--batch"), nil
		},
	}}
}

// A stored object can be read. A damaged one is never read as another.
func TestLooseObjects(t *testing.T) {
	for _, kind := range []plumbing.ObjectType{Blob, Tree, Commit} {
		for i, n := range []int{0, 1, 11, 12, 4096, 4097, 70_000, 1 << 20} {
			var text bytes.Buffer
			for i := 0; text.Len() < n; i++ {
				fmt.Fprintf(&text, "line %d\n", i*i)
			}
			content := text.Bytes()[:n]
			db := emptyDB(t, []string{"sha1", "sha256"}[i%2])
			b := db.NewBatch(db)
			name := b.Add(kind, content)
			if err := b.Flush(false); err != nil {
				t.Fatal(err)
			}
			if data, err := db.Read(kind, name); err != nil || !bytes.Equal(data, content) {
				t.Errorf("%d bytes as a %s: read back as %d, %v", n, kind, len(data), err)
			}
			good, err := os.ReadFile(db.loose(name))
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(good); at += 1 + len(good)/50 {
				bad := bytes.Clone(good)
				bad[at] ^= 0x10
				readDamaged(t, db, name, kind, content, bad)
			}
			readDamaged(t, db, name, kind, content, good[:len(good)-1])
			readDamaged(t, db, name, kind, content, nil)
		}
	}
}

// readDamaged reads an object whose file has other bytes than it should.
func readDamaged(t *testing.T, db *Database, name string, kind plumbing.ObjectType, content, file []byte) {
	t.Helper()
	path := db.loose(name)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file, 0o444); err != nil {
		t.Fatal(err)
	}
	if data, err := (&Database{Options: db.Options}).Read(kind, name); err == nil && !bytes.Equal(data, content) {
		t.Errorf("%d bytes as a %s: damage gives %d", len(content), kind, len(data))
	}
}

// A file with a valid object of another name is not that object.
func TestObjectUnderAnotherName(t *testing.T) {
	db := emptyDB(t, "sha1")
	b := db.NewBatch(db)
	one, two := b.Add(Blob, []byte("one\n")), b.Add(Blob, []byte("two\n"))
	if err := b.Flush(false); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(db.loose(one), db.loose(two)); err != nil {
		t.Fatal(err)
	}
	data, err := (&Database{Options: db.Options}).Read(Blob, two)
	if err == nil || fault.HintOf(err) != "git fsck" {
		t.Errorf("read %q, %v", data, err)
	}
}

// Other entries of a changed folder keep their modes: old trees have modes that git does not write any more.
func TestOtherEntriesStay(t *testing.T) {
	db := emptyDB(t, "sha1")
	b := db.NewBatch(db)
	blob := b.Add(Blob, []byte("x\n"))
	raw := plumbing.NewHash(blob)
	entry := func(mode, name string) string { return mode + " " + name + "\x00" + string(raw[:]) }
	before := entry("100664", "a") + entry("100755", "b") + entry("120000", "c") + entry("160000", "d")
	root := b.Add(Tree, []byte(before))
	if got, err := b.Rewrite(root, map[string]Entry{"a": {0o100664, blob}}); got != root || err != nil {
		t.Errorf("nothing changed, and it is another tree: %v", err)
	}
	changed, err := b.Rewrite(root, map[string]Entry{"e": {0o100644, blob}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := b.Read(Tree, changed); string(got) != before+entry("100644", "e") || err != nil {
		t.Errorf("the tree is %q, %v", got, err)
	}
}

// A `git gc` removes empty folders of objects, also one that was just made for a new object.
func TestObjectBesideGC(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aa", "object")
	var over atomic.Bool
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for !over.Load() {
			_ = os.Remove(filepath.Dir(path))
			time.Sleep(10 * time.Microsecond) // gc tries once; no loop is to win a hundred times in a row
		}
	}()
	for range 5000 {
		f, err := createObject(path)
		if err != nil {
			t.Error(err)
			break
		}
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	over.Store(true)
	<-gone
}

// FuzzTree: what parses formats to the same bytes.
func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"))
	f.Add([]byte("0100644 a\x0001234567890123456789"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := ParseTree(data, 20)
		if err != nil {
			return
		}
		again, err := formatTree(entries)
		if err != nil || len(again) == len(data) && !bytes.Equal(again, data) {
			t.Errorf("%q became %q, %v", data, again, err)
		}
		// Old tools wrote modes with leading zeros, which git drops as well.
		same, err := ParseTree(again, 20)
		if err != nil || !slices.Equal(same, entries) {
			t.Errorf("%q was %v, became %v, %v", data, entries, same, err)
		}
	})
}
