package git_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
)

func TestFoldersThatCannotBeCommitted(t *testing.T) {
	for _, c := range []struct {
		name, says string
		arrange    func(t *testing.T, g *gittest.Repo)
	}{
		{"good", "", func(t *testing.T, g *gittest.Repo) {}},
		{"not there yet", "", func(t *testing.T, g *gittest.Repo) { must(t, os.RemoveAll(filepath.Join(g.Dir, "checkpoints"))) }},
		{"ignored", "", func(t *testing.T, g *gittest.Repo) { g.Write(".gitignore", "*.log\ncheck*\n") }},
		{"a repository inside", "repository of its own", func(t *testing.T, g *gittest.Repo) { g.Git("init", "-q", "checkpoints") }},
		{"a symbolic link", "symbolic link", func(t *testing.T, g *gittest.Repo) {
			must(t, os.RemoveAll(filepath.Join(g.Dir, "checkpoints")))
			must(t, os.Symlink("dir", filepath.Join(g.Dir, "checkpoints")))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", base()...)
			c.arrange(t, g)
			_, err := open(t, g).Prepare(t.Context(), []change.File{{Path: "checkpoints/n.md", After: []byte("n")}}, "m", noon)
			if c.says == "" {
				must(t, err)
				return
			}
			if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), c.says) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestPathsThatCannotBeCommitted(t *testing.T) {
	g := gittest.New(t)
	for _, path := range []string{"../x.md", "/x.md", ".git/x.md", "a/.GIT/x", "a//b", ""} {
		_, err := open(t, g).Prepare(t.Context(), []change.File{{Path: path, After: []byte("n")}}, "m", noon)
		if fault.KindOf(err) != fault.Refused {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		g := gittest.New(t, "--object-format="+format)
		r := open(t, g)
		x := change.File{Path: "checkpoints/active/x.md", After: []byte("one\n")}
		want := func(want bool, files ...change.File) {
			t.Helper()
			if got, err := r.Objects().HasAll(t.Context(), files); got != want || err != nil {
				t.Errorf("%s: holds %v, %v", format, got, err)
			}
		}
		want(false, x)
		want(true, change.File{Path: "no.md"})
		g.Commit("base", base()...)
		want(true, x, change.File{Path: "no.md", Before: []byte("x")})
		want(false, x, change.File{Path: "a.txt", Before: []byte("a\n")})
		want(false, change.File{Path: "a.txt", After: []byte("b\n")})
	}
}

// Where git commits itself it is given paths as arguments: thousands are asked about
// in portions, and refused where they are to be committed at once.
func TestThousandsOfFilesByGit(t *testing.T) {
	g := gittest.New(t, "--object-format=sha256")
	g.Commit("base", base()...)
	r := open(t, g)
	var gone, born []change.File
	for i := range 15000 { // more than the arguments of a process can be
		gone = append(gone, change.File{Path: "checkpoints/" + strings.Repeat("n", 180) + strconv.Itoa(i)})
	}
	for i := range 5001 {
		born = append(born, change.File{Path: "checkpoints/active/" + strconv.Itoa(i) + ".md", After: []byte("n")})
	}
	if holds, err := r.Objects().HasAll(t.Context(), gone); !holds || err != nil {
		t.Errorf("holds %v, %v", holds, err)
	}
	if _, err := r.Prepare(t.Context(), born, "m", noon); fault.KindOf(err) != fault.Unsupported || fault.HintOf(err) == "" {
		t.Errorf("err = %v", err)
	}
}
