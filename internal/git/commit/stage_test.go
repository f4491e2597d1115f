package commit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git/gittest"
)

// "Racy git": git sees an edit that keeps a file's size in the second in which the index
// was written only because it reads files as young as the index. Our new index is
// younger, and the edit must not get lost.
func TestEditInTheSecondOfTheIndex(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		g := gittest.New(t)
		g.Git("config", "core.trustctime", "false")
		g.Git("config", "core.checkStat", "minimal")
		g.Commit("base", gittest.Base()...)
		second := time.Now().Add(-time.Hour).Truncate(time.Second)
		stamp := func(path string) { gittest.Must(t, os.Chtimes(filepath.Join(g.Dir, path), second, second)) }
		stamp("a.txt")
		g.Git("update-index", "--index-version", version)
		g.Git("update-index", "-q", "--refresh")
		g.Write("a.txt", "b\n") // as long as it was
		stamp("a.txt")
		stamp(".git/index")
		record(t, g, gittest.Operation()...)
		if got := g.Git("status", "--porcelain"); got != " M a.txt" {
			t.Errorf("version %s: status %q", version, got)
		}
	}
}

// A file may be edited while it is committed: then the index must not show it as
// unchanged.
func TestFileEditedBeforeLand(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	file := change.File{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")}
	d, err := prepare(t.Context(), g.Open(), []change.File{file}, "m", noon)
	gittest.Must(t, err)
	_, err = d.Land(t.Context(), func() error {
		g.Write(file.Path, "2wo\n")
		return nil
	})
	gittest.Must(t, err)
	if got := g.Git("status", "--porcelain"); got != " M checkpoints/active/x.md" {
		t.Errorf("status %q", got)
	}
}

// The mode of a committed file stays, whatever the file system has.
func TestModeStays(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Git("config", "core.fileMode", "false")
	g.Git("update-index", "--chmod=+x", "checkpoints/active/x.md")
	g.Git("commit", "-q", "-m", "x")
	g.Git("update-index", "--chmod=+x", "checkpoints/active/gone.md") // staged only
	record(t, g,
		change.File{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")},
		change.File{Path: "checkpoints/active/gone.md", Before: []byte("gone\n"), After: []byte("come\n")})
	for path, want := range map[string]string{"x.md": "100755 100755", "gone.md": "100644 100755"} {
		path = "checkpoints/active/" + path
		got := strings.Fields(g.Git("ls-tree", "HEAD", path))[0] + " " + strings.Fields(g.Git("ls-files", "-s", path))[0]
		if got != want {
			t.Errorf("%s: mode in HEAD and index %s, want %s", path, got, want)
		}
	}
}
