package git

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/git/gittest"
)

// Whatever the bytes, the parser ends without a panic; and an index in which an
// entry is replaced by itself comes back byte for byte.
func FuzzIndex(f *testing.F) {
	for _, version := range []string{"2", "3", "4"} {
		f.Add(sampleIndex(f, version))
	}
	f.Add([]byte("DIRC"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := openIndex(slices.Clone(data))
		if err != nil {
			return
		}
		var self edit
		n := 0
		end, err := x.scan(func(e entry) error {
			if n++; n == 2 && e.stage() == 0 && e.extended&extIntentToAdd == 0 {
				raw := x.data[e.start:]
				self.path = string(e.name)
				self.to = place{filemode.Regular, plumbing.Hash(raw[entryHash : entryHash+20])}
				copy(self.stat[:], raw)
			}
			return nil
		})
		if err != nil {
			return
		}
		if _, err := x.extensions(end); err != nil || self.path == "" {
			return
		}
		pieces, err := newIndex(x, []edit{self}, 0)
		if err != nil {
			return
		}
		// Once more over the result: it must be readable and stable.
		once := slices.Concat(pieces...)
		y, err := openIndex(slices.Concat(once, make([]byte, indexTrailer)))
		if err != nil {
			t.Fatalf("our own index: %v", err)
		}
		again, err := newIndex(y, []edit{self}, 0)
		if err != nil {
			t.Fatalf("our own index: %v", err)
		}
		if !bytes.Equal(once, slices.Concat(again...)) {
			t.Error("not stable")
		}
	})
}

// An untouched entry, the extensions that stay, the checksum: all as git wrote it.
func TestReplacedByItself(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		data := sampleIndex(t, version)
		x, err := openIndex(slices.Clone(data))
		if err != nil {
			t.Fatal(err)
		}
		var edits []edit
		_, err = x.scan(func(e entry) error {
			if e.extended&extIntentToAdd != 0 {
				return nil
			}
			one := edit{path: string(e.name), to: place{filemode.Regular, plumbing.Hash(x.data[e.start+entryHash : e.start+entryHash+20])}}
			copy(one.stat[:], x.data[e.start:])
			edits = append(edits, one)
			return nil
		})
		if err != nil || len(edits) < 5 {
			t.Fatalf("%d entries, %v", len(edits), err)
		}
		pieces, err := newIndex(x, edits, 0)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := writeIndex(&out, pieces, x.zero); err != nil {
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
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), gittest.Env()...)
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

// FuzzTree: what parses formats to the same bytes.
func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"))
	f.Fuzz(func(t *testing.T, data []byte) {
		nodes, err := parseTree(data)
		if err == nil && !bytes.Equal(formatTree(nodes), data) {
			t.Errorf("%q became %q", data, formatTree(nodes))
		}
	})
}

func TestParseDate(t *testing.T) {
	for given, want := range map[string]string{
		"1700000000 +0100":                "1700000000 +0100",
		"@1700000000 -0530":               "1700000000 -0530",
		"@5 +0000":                        "5 +0000",
		"2026-01-02T03:04:05Z":            "1767323045 +0000",
		"2026-01-02T03:04:05+02:00":       "1767315845 +0200",
		"2026-01-02 03:04:05 +0200":       "1767315845 +0200",
		"Fri, 02 Jan 2026 03:04:05 +0000": "1767323045 +0000",
		"2026-01-02 03:04:05":             "1767319445 +0100",
		"yesterday":                       "",
		"20000101 +0000":                  "", // git reads it as a date
		"":                                "",
	} {
		if got, _ := parseDate(given, inOslo); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
}
