package commit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git/gittest"
)

// An operation does not rely on objects in a cruft pack, which the next gc may remove.
func TestManyFilesThatPacksHold(t *testing.T) {
	for _, kind := range []string{"pack", "cruft"} {
		t.Run(kind, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", gittest.Base()...)
			files := many(t, g)
			if kind == "pack" {
				g.Git("rm", "-q", "-r", "checkpoints/active")
				g.Git("commit", "-q", "-m", "gone")
				g.Git("gc", "-q")
			} else {
				g.Git("reset", "-q", "--hard", "HEAD~1")
				g.Git("reflog", "expire", "--expire=now", "--all")
				if _, err := g.TryGit("repack", "-d", "--cruft"); err != nil {
					t.Skip("this git makes no cruft packs")
				}
			}
			for _, f := range files {
				g.Write(f.Path, string(f.After))
			}
			record(t, g, files...)
			old, err := filepath.Glob(filepath.Join(g.Dir, ".git/objects/pack/*.mtimes"))
			gittest.Must(t, err)
			for _, mtimes := range old {
				for _, ext := range []string{".mtimes", ".idx", ".pack", ".rev"} {
					_ = os.Remove(strings.TrimSuffix(mtimes, ".mtimes") + ext)
				}
			}
			if wrong := g.Git("fsck", "--strict", "--no-dangling", "--no-progress"); wrong != "" {
				t.Errorf("fsck: %s", wrong)
			}
		})
	}
}

// many makes a commit of many files.
func many(t *testing.T, g *gittest.Repo) (files []change.File) {
	t.Helper()
	var args []string
	for i := range 80 {
		f := change.File{Path: fmt.Sprintf("checkpoints/active/%d.md", i), After: fmt.Appendf(nil, "file %d\n", i)}
		files, args = append(files, f), append(args, f.Path, string(f.After))
	}
	g.Commit("many", args...)
	return files
}

// Two files become one blob: git converts the line ends of the second.
func TestFilesThatGitConverts(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "one.txt", "one\n", "checkpoints/b/.gitattributes", "* text eol=lf\n")
	g.Git("gc", "-q")
	files := []change.File{
		{Path: "checkpoints/a/a.md", After: []byte("one\n")},
		{Path: "checkpoints/b/b.md", After: []byte("one\r\n")},
	}
	for _, f := range files {
		g.Write(f.Path, string(f.After))
	}
	record(t, g, files...)
	if wrong := g.Git("fsck", "--strict", "--no-dangling", "--no-progress"); wrong != "" {
		t.Errorf("fsck: %s", wrong)
	}
	if got := g.Git("show", "HEAD:checkpoints/b/b.md"); strings.Contains(got, "\r") {
		t.Errorf("b.md is %q", got)
	}
}
