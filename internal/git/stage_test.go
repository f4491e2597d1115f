package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git/gittest"
)

// "Racy git": a file edited within the second in which the index was written,
// to the same size, is seen as edited only because git looks at files that are
// as young as the index. Our new index is younger; the edit must not get lost.
func TestEditInTheSecondOfTheIndex(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		g := gittest.New(t)
		g.Git("config", "core.trustctime", "false")
		g.Git("config", "core.checkStat", "minimal")
		g.Commit("base", base()...)
		second := time.Now().Add(-time.Hour).Truncate(time.Second)
		stamp := func(path string) { must(t, os.Chtimes(filepath.Join(g.Dir, path), second, second)) }
		stamp("a.txt")
		g.Git("update-index", "--index-version", version)
		g.Git("update-index", "-q", "--refresh")
		g.Write("a.txt", "b\n") // as long as it was
		stamp("a.txt")
		stamp(".git/index")
		commit(t, g, operation()...)
		if got := g.Git("status", "--porcelain"); got != " M a.txt" {
			t.Errorf("version %s: status %q", version, got)
		}
	}
}

// The working tree may hold something else than what is committed, because the
// user edited the file in that very moment: the index must not call it clean.
func TestFileEditedBeforeLand(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", base()...)
	file := change.File{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")}
	d, err := open(t, g).Prepare(t.Context(), []change.File{file}, "m", noon)
	must(t, err)
	g.Write(file.Path, "2wo\n")
	_, err = d.Land(t.Context())
	must(t, err)
	if got := g.Git("status", "--porcelain"); got != " M checkpoints/active/x.md" {
		t.Errorf("status %q", got)
	}
}

// A mode that is in the repository stays, whatever the file system says.
func TestModeStays(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", base()...)
	g.Git("config", "core.fileMode", "false")
	g.Git("update-index", "--chmod=+x", "checkpoints/active/x.md")
	g.Git("commit", "-q", "-m", "x")
	g.Git("update-index", "--chmod=+x", "checkpoints/active/gone.md") // staged only
	commit(t, g,
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

// Staged without a commit, as git add and git rm of these paths would.
func TestStage(t *testing.T) {
	for name, arrange := range map[string]func(g *gittest.Repo){
		"plain":       func(g *gittest.Repo) {},
		"split index": func(g *gittest.Repo) { g.Git("update-index", "--split-index") },
		"unborn":      func(g *gittest.Repo) { g.Git("update-ref", "-d", "HEAD"); g.Git("rm", "-q", "-r", "--cached", ".") },
	} {
		g := gittest.New(t)
		g.Commit("base", base()...)
		arrange(g)
		files := operation()
		write(t, g, files)
		before := g.Git("ls-files", "-s", "--", "a.txt", "dir")
		must(t, open(t, g).Index().Stage(t.Context(), files))
		ours := g.Git("status", "--porcelain", "--no-renames", "--", "checkpoints")
		g.Git("add", "-A", "--", "checkpoints")
		if theirs := g.Git("status", "--porcelain", "--no-renames", "--", "checkpoints"); name != "unborn" && ours != theirs {
			t.Errorf("%s: ours\n%s\ngit's\n%s", name, ours, theirs)
		}
		if after := g.Git("ls-files", "-s", "--", "a.txt", "dir"); after != before {
			t.Errorf("%s: entries of others changed: %s", name, after)
		}
	}
}
