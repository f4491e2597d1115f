package index

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/object"
)

// The parser does not panic for any bytes. An index in which entries are replaced by
// themselves can be read, and stays the same.
func FuzzIndex(f *testing.F) {
	for _, version := range []string{"2", "3", "4"} {
		f.Add(sampleIndex(f, version, "sha1"))
	}
	f.Add([]byte("DIRC"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Rewrite(slices.Clone(data), nil, 1, sha1.New()); err != nil {
			return
		}
		all := itself(data, sha1.Size)
		once, err := Rewrite(slices.Clone(data), all[:min(len(all), 1)], 0, sha1.New())
		if err != nil {
			return
		}
		again, err := Rewrite(slices.Clone(once), all[:min(len(all), 1)], 0, sha1.New())
		if err != nil {
			t.Fatalf("our own index: %v", err)
		}
		if !bytes.Equal(once, again) {
			t.Error("not stable")
		}
	})
}

// itself returns edits that replace the entries of an index by themselves.
func itself(data []byte, hashSize int) (edits []Edit) {
	if len(data) == 0 {
		return nil
	}
	at := headerSize
	for range binary.BigEndian.Uint32(data[8:]) {
		e, err := entryAt(data, at, hashSize)
		if err != nil {
			return edits
		}
		if !e.conflict() && e.extended&extendedIntentToAdd == 0 {
			one := Edit{Path: string(e.name), To: object.Entry{Mode: 0o100644, Hash: hex.EncodeToString(data[at+hashAt:][:hashSize])}}
			copy(one.Stat[:], data[at:])
			edits = append(edits, one)
		}
		at = e.end
	}
	return edits
}

// Other entries, valid extensions and the checksum are as git wrote them.
func TestReplacedByItself(t *testing.T) {
	for version, sum := range map[string]hash.Hash{"2 sha1": sha1.New(), "3 sha1": sha1.New(), "3 sha256": sha256.New()} {
		number, format, _ := strings.Cut(version, " ")
		data := sampleIndex(t, number, format)
		edits := itself(data, sum.Size())
		if len(edits) < 5 {
			t.Fatalf("%d entries", len(edits))
		}
		edited, err := Rewrite(slices.Clone(data), edits, 0, sum)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(edited, data) {
			t.Errorf("version %s: changed (%d bytes, were %d)", version, len(edited), len(data))
		}
	}
}

// An unknown format is left to git.
func TestUnsupported(t *testing.T) {
	if _, err := Rewrite(sampleIndex(t, "4", "sha1"), nil, 0, sha1.New()); !errors.As(err, new(Unsupported)) {
		t.Errorf("version 4: %v", err)
	}
}

// sampleIndex returns an index without a cache tree, as git writes it.
func sampleIndex(t testing.TB, version, format string) []byte {
	dir := t.TempDir()
	run := func(args ...string) {
		cmd := envtest.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q", "--object-format="+format)
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
