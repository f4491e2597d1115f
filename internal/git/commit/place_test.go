package commit_test

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
		{"not there yet", "", func(t *testing.T, g *gittest.Repo) {
			gittest.Must(t, os.RemoveAll(filepath.Join(g.Dir, "checkpoints")))
		}},
		{"ignored", "", func(t *testing.T, g *gittest.Repo) { g.Write(".gitignore", "*.log\ncheck*\n") }},
		{"a repository inside", "repository of its own", func(t *testing.T, g *gittest.Repo) { g.Git("init", "-q", "checkpoints") }},
		{"a symbolic link", "symbolic link", func(t *testing.T, g *gittest.Repo) {
			gittest.Must(t, os.RemoveAll(filepath.Join(g.Dir, "checkpoints")))
			gittest.Must(t, os.Symlink("dir", filepath.Join(g.Dir, "checkpoints")))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", gittest.Base()...)
			c.arrange(t, g)
			_, err := prepare(t.Context(), g.Open(), []change.File{{Path: "checkpoints/n.md", After: []byte("n")}}, "m", noon)
			if c.says == "" {
				gittest.Must(t, err)
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
		_, err := prepare(t.Context(), g.Open(), []change.File{{Path: path, After: []byte("n")}}, "m", noon)
		if fault.KindOf(err) != fault.Refused {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// If git makes the commit, it gets paths as arguments: thousands are listed in batches, and are
// refused in one commit.
func TestThousandsOfFilesByGit(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	chooseGit(t, g)
	r := g.Open()
	var gone, born []change.File
	for i := range 15000 { // more than the arguments of a process can be
		gone = append(gone, change.File{Path: "checkpoints/" + strings.Repeat("n", 180) + strconv.Itoa(i)})
	}
	for i := range 5001 {
		born = append(born, change.File{Path: "checkpoints/active/" + strconv.Itoa(i) + ".md", After: []byte("n")})
	}
	if had, err := r.Objects().HeadEntries(t.Context(), change.Paths(gone)); len(had) > 0 || err != nil {
		t.Errorf("HEAD has %d, %v", len(had), err)
	}
	if _, err := prepare(t.Context(), r, born, "m", noon); fault.KindOf(err) != fault.Unsupported || fault.HintOf(err) == "" {
		t.Errorf("err = %v", err)
	}
}
