package index

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/object"
)

// Whatever the bytes, the parser ends without a panic; and an index in which an
// entry is replaced by itself comes back byte for byte.
func FuzzIndex(f *testing.F) {
	for _, version := range []string{"2", "3", "4"} {
		f.Add(sampleIndex(f, version))
	}
	f.Add([]byte("DIRC"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Parse(slices.Clone(data))
		if err != nil {
			return
		}
		var self Edit
		n := 0
		end, err := x.scan(func(e Entry) error {
			if n++; n == 2 && e.Stage() == 0 && !e.IntentToAdd() {
				raw := x.data[e.start:]
				self = Edit{Path: string(e.Name), To: object.File(x.Hash(e))}
				copy(self.Stat[:], raw)
			}
			return nil
		})
		if err != nil {
			return
		}
		if _, err := x.extensions(end); err != nil || self.Path == "" {
			return
		}
		edited, err := x.Edit([]Edit{self}, 0)
		if err != nil {
			return
		}
		// Once more over the result: it must be readable and stable.
		once := slices.Concat(edited.pieces...)
		y, err := Parse(slices.Concat(once, make([]byte, trailerSize)))
		if err != nil {
			t.Fatalf("our own index: %v", err)
		}
		again, err := y.Edit([]Edit{self}, 0)
		if err != nil {
			t.Fatalf("our own index: %v", err)
		}
		if !bytes.Equal(once, slices.Concat(again.pieces...)) {
			t.Error("not stable")
		}
	})
}

// An untouched entry, the extensions that stay, the checksum: all as git wrote it.
func TestReplacedByItself(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		data := sampleIndex(t, version)
		x, err := Parse(slices.Clone(data))
		if err != nil {
			t.Fatal(err)
		}
		var edits []Edit
		_, err = x.scan(func(e Entry) error {
			if e.IntentToAdd() {
				return nil
			}
			one := Edit{Path: string(e.Name), To: object.File(x.Hash(e))}
			copy(one.Stat[:], x.data[e.start:])
			edits = append(edits, one)
			return nil
		})
		if err != nil || len(edits) < 5 {
			t.Fatalf("%d entries, %v", len(edits), err)
		}
		edited, err := x.Edit(edits, 0)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := edited.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), data) {
			t.Errorf("version %s: changed (%d bytes, were %d)", version, out.Len(), len(data))
		}
	}
}

// sampleIndex is an index without a cache tree, as git writes it.
func sampleIndex(t testing.TB, version string) []byte {
	dir := t.TempDir()
	run := func(args ...string) {
		cmd := envtest.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q")
	for _, name := range []string{"a", "a-b", "a.md", "b/c", "b/cc", "b/d", "z" + strings.Repeat("z", 200), "announced"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("update-index", "--index-version", version)
	run("add", "a", "a-b", "a.md", "b", ":/z*")
	if version != "2" {
		run("add", "-N", "announced")
		run("update-index", "--skip-worktree", "b/cc")
	}
	data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestVarint(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 129, 255, 16383, 16511, 16512, 100000} {
		b := appendVarint(nil, n)
		if got, next, ok := varint(b, 0); got != n || next != len(b) || !ok {
			t.Errorf("%d: %v is %d, %v", n, b, got, ok)
		}
	}
}
