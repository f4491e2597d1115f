package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/workspace/store"
)

// TestEach reads many files in several folders, in the order of paths. It returns a file that
// cannot be parsed and a link to nothing as broken.
func TestEach(t *testing.T) {
	s := &store.Store{Dir: t.TempDir()}
	write := func(rel, text string) {
		must(t, os.MkdirAll(filepath.Dir(s.File(rel)), 0o777))
		must(t, os.WriteFile(s.File(rel), []byte(text), 0o666))
	}
	var want []string
	for i := range 300 {
		rel := fmt.Sprintf("archive/2026/%02d/chk-%03d.md", i%12+1, i)
		write(rel, fmt.Sprintf("---\ncheckpoint: chk-%03d\n---\n", i))
		want = append(want, rel)
	}
	write("active/large.md", "---\ncheckpoint: large\n---\n"+strings.Repeat("text\n", 100_000))
	write("archive/2026-flat.md", "---\ncheckpoint: flat\n---\n")
	write("active/chk-broken.md", "---\ncheckpoint: [\n---\n")
	write("active/notes.md", "# Notes\n")
	write("active/INDEX.md", "---\ncheckpoint: index\n---\n")
	want = append(want, "active/large.md", "archive/2026-flat.md")
	var broken []string
	if runtime.GOOS != "windows" {
		must(t, os.Symlink("nowhere", s.File("active/link.md")))
		broken = append(broken, "active/link.md: a link to a file that is not there")
	}
	slices.Sort(want)

	all, unread, err := store.Each(s, store.All, func(c *checkpoint.Checkpoint) string {
		return fmt.Sprint(c.Path, " ", c.ID, " ", len(c.Doc.Bytes()))
	})
	must(t, err)
	if len(all) != len(want) {
		t.Fatalf("%d files, not %d", len(all), len(want))
	}
	for i, rel := range want {
		if !strings.HasPrefix(all[i], rel+" ") {
			t.Errorf("%s stands where %s should", all[i], rel)
		}
	}
	if got := all[0]; got != "active/large.md large 500026" {
		t.Errorf("the large file is read as %s", got)
	}
	if len(unread) != 1+len(broken) || unread[0].Path != "active/chk-broken.md" {
		t.Errorf("broken: %v", unread)
	}
	for i, b := range broken {
		if got := fmt.Sprintf("%s: %v", unread[i+1].Path, unread[i+1].Err); got != b {
			t.Errorf("%s, not %s", got, b)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestEachSettles makes only the chosen one of several marked files current, also if a query leaves that one out.
func TestEachSettles(t *testing.T) {
	s := &store.Store{Dir: t.TempDir()}
	must(t, os.MkdirAll(s.File("active"), 0o777))
	for i := range 80 {
		status := "active"
		if i%20 == 3 {
			status = "current"
		}
		must(t, os.WriteFile(s.File(fmt.Sprintf("active/chk-%02d.md", i)), fmt.Appendf(nil, "---\ncheckpoint: chk-%02d\nstatus: %s\n---\n", i, status), 0o666))
	}
	s.Choose = func(marked []*checkpoint.Checkpoint) *checkpoint.Checkpoint {
		if len(marked) != 4 {
			t.Errorf("%d are marked", len(marked))
		}
		return marked[1]
	}
	status := func(c *checkpoint.Checkpoint) string { return c.ID + " " + string(c.Status()) }
	all, _, err := store.Each(s, store.Live, status)
	must(t, err)
	for i, got := range all {
		want := fmt.Sprintf("chk-%02d active", i)
		if i == 23 {
			want = "chk-23 current"
		}
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	set, err := s.Load(store.Live)
	must(t, err)
	if c := set.Current(); c == nil || c.ID != "chk-23" {
		t.Errorf("current of the set: %v", c)
	}
	found, _, err := store.Where(s, store.Live, func(src []byte) bool {
		return strings.Contains(string(src), "-43") || strings.Contains(string(src), "-44")
	},
		func(_ string, _ []byte, c *checkpoint.Checkpoint, _ error) string { return status(c) })
	must(t, err)
	if got := strings.Join(found, ", "); got != "chk-43 active, chk-44 active" {
		t.Error(got)
	}
}
