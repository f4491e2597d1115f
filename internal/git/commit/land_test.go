package commit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

func TestUnborn(t *testing.T) {
	g := gittest.New(t)
	r := g.Open()
	if h, err := r.Head(); err != nil || h.Branch() != "main" || h.Hash != "" {
		t.Errorf("head = %+v, %v", h, err)
	}
	if files, err := r.Objects().Tree("checkpoints"); err != nil || len(files) != 0 {
		t.Errorf("tree = %v, %v", files, err)
	}
	g.Write("staged.txt", "1\n")
	g.Git("add", "staged.txt")
	record(t, g, change.File{Path: "checkpoints/active/x.md", After: []byte("one\n")})
	if got := g.Git("status", "--porcelain"); got != "A  staged.txt" {
		t.Errorf("status: %s", got)
	}
	if got := g.Git("ls-tree", "-r", "--name-only", "HEAD"); got != "checkpoints/active/x.md" {
		t.Errorf("tree: %s", got)
	}
	if got := g.Git("reflog"); !strings.Contains(got, "commit (initial): ckpt: delta x: works") {
		t.Errorf("reflog: %s", got)
	}
}

func TestUnbornWithoutAnIndex(t *testing.T) {
	g := gittest.New(t)
	record(t, g, change.File{Path: "x.md", After: []byte("one\n")})
	if got := g.Git("status", "--porcelain"); got != "" {
		t.Errorf("status: %s", got)
	}
	record(t, g, change.File{Path: "x.md", Before: []byte("one\n")})
	if got := g.Git("ls-tree", "HEAD") + g.Git("status", "--porcelain") + g.Git("fsck", "--strict"); got != "" {
		t.Errorf("after the last file went: %s", got)
	}
}

func TestNothingToCommit(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	head := g.Git("rev-parse", "HEAD")
	d, err := prepare(t.Context(), g.Open(), []change.File{
		{Path: "checkpoints/active/x.md", Before: []byte("zero"), After: []byte("one\n")},
		{Path: "never/there.md", Before: []byte("x")},
	}, "m", noon)
	gittest.Must(t, err)
	hash, err := d.Land(t.Context(), func() error { return nil })
	if !d.Empty || hash != "" || err != nil || g.Git("rev-parse", "HEAD") != head {
		t.Errorf("empty %v, hash %q, %v", d.Empty, hash, err)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name    string
		arrange func(g *gittest.Repo)
		kind    fault.Kind
		says    string
	}{
		{"a file where our folder is to be", func(g *gittest.Repo) {
			g.Git("rm", "-q", "-r", "checkpoints")
			g.Commit("file", "checkpoints", "x")
			remove(g, "checkpoints")
		}, fault.Refused, "checkpoints"},
		{"a file staged where our folder is to be", func(g *gittest.Repo) {
			g.Git("rm", "-q", "-r", "--cached", "checkpoints/archive")
			g.Git("commit", "-q", "-m", "x")
			os.RemoveAll(filepath.Join(g.Dir, "checkpoints/archive"))
			g.Write("checkpoints/archive", "x")
			g.Git("add", "checkpoints/archive")
			remove(g, "checkpoints/archive")
		}, fault.Refused, "checkpoints/archive"},
		{"a symbolic link in the file's place", func(g *gittest.Repo) {
			remove(g, "checkpoints/active/x.md")
			gittest.Must(g.T.(*testing.T), os.Symlink("../../a.txt", filepath.Join(g.Dir, "checkpoints/active/x.md")))
			g.Git("commit", "-q", "-a", "-m", "link")
			remove(g, "checkpoints/active/x.md")
		}, fault.Refused, "x.md"},
		{"a path in conflict", func(g *gittest.Repo) {
			blob := g.Open().Objects().BlobHash([]byte("one\n"))
			gitIn(g.T.(*testing.T), g, "0 0000000000000000000000000000000000000000\tcheckpoints/active/x.md\n"+
				"100644 "+blob+" 1\tcheckpoints/active/x.md\n100644 "+blob+" 2\tcheckpoints/active/x.md\n", "update-index", "--index-info")
		}, fault.Refused, "conflict"},
		{"nobody", func(g *gittest.Repo) {
			t := g.T.(*testing.T)
			for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"} {
				t.Setenv(name, "")
				os.Unsetenv(name)
			}
			g.Git("config", "user.useConfigOnly", "true")
		}, fault.Failed, "who you are"},
		{"a damaged index", func(g *gittest.Repo) { g.Write(".git/index", g.Read(".git/index")[:100]) }, fault.Failed, "index"},
		{"a lock of another program", func(g *gittest.Repo) { g.Write(".git/index.lock", "") }, fault.Busy, ".git/index.lock"},
		{"a branch locked by another program", func(g *gittest.Repo) { g.Write(".git/refs/heads/main.lock", "") }, fault.Busy, "main.lock"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", append(gittest.Base(), "checkpoints/archive/old.md", "x")...)
			c.arrange(g)
			head, index := g.Git("rev-parse", "HEAD"), g.Read(".git/index")

			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			if c.kind == fault.Busy { // the 5 s of waiting are not for this test
				defer cancel()
			} else {
				cancel()
				ctx = t.Context()
			}
			files := []change.File{
				{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\n")},
				{Path: "checkpoints/archive/n.md", After: []byte("new\n")},
			}
			d, err := prepare(t.Context(), g.Open(), files, "m", noon)
			if err == nil {
				_, err = d.Land(ctx, writing(g, files))
			}
			if c.kind == fault.Busy && err != nil && ctx.Err() != nil {
				err = fault.New(fault.Busy, "waited for %s", c.says)
			}
			if fault.KindOf(err) != c.kind || err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("err = %v (%v)", err, fault.KindOf(err))
			}
			if g.Git("rev-parse", "HEAD") != head || g.Read(".git/index") != index {
				t.Error("something moved")
			}
			left, _ := filepath.Glob(filepath.Join(g.Dir, ".git", "*.lock"))
			if c.kind != fault.Busy && len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// Locks that a killed ckpt left are recognized by their mark and removed.
func TestDeadLocksOfOurs(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	for _, lock := range []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock"} {
		g.Write(lock, "held by ckpt, process 1\n")
	}
	record(t, g, gittest.Operation()...)
	if got := g.Git("status", "--porcelain"); got != "" {
		t.Errorf("status: %s", got)
	}
}

func TestSettle(t *testing.T) {
	files := gittest.Operation()
	arrange := func(t *testing.T) (*gittest.Repo, *git.Repo) {
		g := gittest.New(t)
		g.Commit("base", gittest.Base()...)
		old := g.Read(".git/index")
		record(t, g, files...)
		g.Write(".git/index", old) // as if ckpt had died before the index followed
		return g, g.Open()
	}
	t.Run("entries follow HEAD", func(t *testing.T) {
		g, r := arrange(t)
		gittest.Must(t, repair(t, r))
		if got := g.Git("status", "--porcelain"); got != "" {
			t.Errorf("status: %s", got)
		}
		gittest.Must(t, repair(t, r))
	})
	t.Run("what the user staged since stays", func(t *testing.T) {
		g, r := arrange(t)
		g.Write("checkpoints/active/x.md", "three\n")
		g.Git("add", "checkpoints/active/x.md")
		gittest.Must(t, repair(t, r))
		if got := g.Git("status", "--porcelain"); got != "M  checkpoints/active/x.md" {
			t.Errorf("status: %s", got)
		}
	})
}

// repair updates the index from the parent of HEAD to HEAD.
func repair(t *testing.T, r *git.Repo) error {
	t.Helper()
	head, err := r.Head()
	gittest.Must(t, err)
	c, err := r.Objects().Commit(t.Context(), head.Hash)
	gittest.Must(t, err)
	was, err := r.Objects().FolderAt(t.Context(), c.Parents[0], "checkpoints")
	gittest.Must(t, err)
	is, err := r.Objects().FolderAt(t.Context(), head.Hash, "checkpoints")
	gittest.Must(t, err)
	changed := map[string][2]git.Entry{}
	for path := range was {
		changed[path] = [2]git.Entry{was[path], is[path]}
	}
	for path := range is {
		changed[path] = [2]git.Entry{was[path], is[path]}
	}
	return r.Index().Repair(t.Context(), "checkpoints", changed)
}

func remove(g *gittest.Repo, path string) {
	if err := os.Remove(filepath.Join(g.Dir, path)); err != nil {
		g.T.Fatal(err)
	}
}
