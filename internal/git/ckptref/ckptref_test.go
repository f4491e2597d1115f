package ckptref_test

import (
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/log"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, g *gittest.Repo) (*git.Repo, ckptref.Ref) {
	t.Helper()
	repo, err := git.Open(g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := ckptref.Of(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := repo.Lock(t.Context(), disk.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unlock)
	return repo, ref
}

// Two repositories begin with the same commit, git finds nothing to complain about, and a commit
// on the ref touches neither HEAD nor the index.
func TestCommits(t *testing.T) {
	roots := map[string]string{}
	for name, init := range map[string][]string{"SHA-1": nil, "SHA-256": {"--object-format=sha256"}, "SHA-1 again": nil} {
		t.Run(name, func(t *testing.T) {
			g := gittest.New(t, init...)
			g.Commit("code", "main.go", "package main\n")
			head, status := g.Git("rev-parse", "HEAD"), g.Git("status", "--porcelain")
			_, ref := open(t, g)
			root, err := ref.Root(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			roots[name] = root
			if err := ref.Move(t.Context(), root, "", "ckpt: begin"); err != nil {
				t.Fatal(err)
			}
			made, err := ref.Store(t.Context(), commit.Spec{
				Parents:  []string{root},
				Files:    map[string]git.Entry{"checkpoints/active/a.md": git.FileEntry("")},
				Contents: map[string][]byte{"checkpoints/active/a.md": []byte("a\n")},
				Message:  "ckpt: new a\n",
				Time:     noon,
			}, true)
			if err != nil {
				t.Fatal(err)
			}
			if err := ref.Move(t.Context(), made, root, "ckpt: new a"); err != nil {
				t.Fatal(err)
			}
			if err := ref.Move(t.Context(), root, root, "again"); fault.KindOf(err) != fault.Busy {
				t.Errorf("a move from a commit that the ref is not at: %v", err)
			}
			if got := g.Git("show", ref.Name()+":checkpoints/active/a.md"); got != "a" {
				t.Errorf("the file is %q", got)
			}
			if got := g.Git("reflog", "show", "--format=%gs", ref.Name()); got != "ckpt: new a\nckpt: begin" {
				t.Errorf("the reflog is %q", got)
			}
			if g.Git("rev-parse", "HEAD") != head || g.Git("status", "--porcelain") != status {
				t.Error("HEAD or the index has changed")
			}
			if got, err := g.TryGit("fsck", "--strict"); err != nil || strings.Contains(got, "error") {
				t.Errorf("git fsck: %s, %v", got, err)
			}
		})
	}
	if roots["SHA-1"] != roots["SHA-1 again"] {
		t.Errorf("two roots: %v", roots)
	}
}

func TestConfiguredName(t *testing.T) {
	g := gittest.New(t)
	g.Git("config", "ckpt.ref", "refs/heads/ckpt")
	if _, ref := open(t, g); ref.Name() != "refs/heads/ckpt" {
		t.Errorf("the ref is %s", ref.Name())
	}
	for _, bad := range []string{"ckpt", "refs/", "refs/../HEAD"} {
		g.Git("config", "ckpt.ref", bad)
		repo, err := git.Open(g.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ckptref.Of(t.Context(), repo); fault.KindOf(err) != fault.Invalid {
			t.Errorf("ckpt.ref=%s: %v", bad, err)
		}
	}
}

// TestCheckedOut: a branch that a worktree has checked out is not moved, as by git.
func TestCheckedOut(t *testing.T) {
	g := gittest.New(t)
	g.Commit("code", "main.go", "package main\n")
	g.Git("config", "ckpt.ref", "refs/heads/ckpt")
	_, ref := open(t, g)
	root, err := ref.Root(t.Context())
	gittest.Must(t, err)
	gittest.Must(t, ref.Move(t.Context(), root, "", "ckpt: begin"))
	g.Git("worktree", "add", "-q", "../linked", "ckpt")
	head := g.Git("rev-parse", "HEAD")
	if err := ref.Move(t.Context(), head, root, "ckpt: new a"); fault.KindOf(err) != fault.Refused {
		t.Errorf("in a linked worktree: %v", err)
	}
	g.Git("worktree", "remove", "../linked")
	gittest.Must(t, ref.Move(t.Context(), head, root, "ckpt: new a"))
}

// TestMaker parses the maker that an operation has written into a commit. A session may have any characters.
func TestMaker(t *testing.T) {
	g := gittest.New(t)
	repo, _ := open(t, g)
	for _, tt := range []struct {
		maker ckptref.Maker
		want  string
	}{
		{ckptref.Maker{}, "before the migration"},
		{ckptref.Maker{Folder: "my api", Worktree: "7"}, "in my api"},
		{ckptref.Maker{Folder: "api", Worktree: "7", Agent: "claude", Session: "0123456789abcdef"},
			"in api by claude in session 0123456789ab"},
		{ckptref.Maker{Session: "sitzung-nr-ü1"}, "in session sitzung-nr-"},
	} {
		g.Commit("x\n\n"+tt.maker.Trailers("main", ""), "notes/maker.md", tt.want)
		all, err := log.Of(repo).Recent(t.Context(), "notes", 1)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		got := ckptref.MakerOf(all[0])
		if got != tt.maker || got.String() != tt.want {
			t.Errorf("got %+v, %q; want %+v, %q", got, got.String(), tt.maker, tt.want)
		}
	}
}

// TestUnpushed: operations are unpushed until a remote has them. The remote is the configured one, else
// origin, else the first one.
func TestUnpushed(t *testing.T) {
	g := gittest.New(t)
	_, ref := open(t, g)
	is := func(after string, want time.Time, remote, unfetched string) {
		t.Helper()
		oldest, got, err := ref.Unpushed(t.Context())
		if err != nil || !oldest.Equal(want) || got != remote {
			t.Errorf("after %s: %v, %q, %v; want %v, %q", after, oldest, got, err, want, remote)
		}
		if got := ref.Unfetched(t.Context()); got != unfetched {
			t.Errorf("after %s: unfetched %q, want %q", after, got, unfetched)
		}
	}
	never := time.Time{}
	is("init", never, "", "")
	g.Git("remote", "add", "a", "/nowhere")
	is("a remote", never, "", "a")
	tip, err := ref.Root(t.Context())
	gittest.Must(t, err)
	gittest.Must(t, ref.Move(t.Context(), tip, "", "ckpt: begin"))
	is("the root", never, "a", "")
	for i := range 2 {
		t.Setenv("GIT_COMMITTER_DATE", noon.Add(time.Duration(i)*time.Hour).Format(time.RFC3339))
		made, err := ref.Store(t.Context(), commit.Spec{Parents: []string{tip}, Message: "ckpt: x\n"}, true)
		gittest.Must(t, err)
		gittest.Must(t, ref.Move(t.Context(), made, tip, "ckpt: x"))
		tip = made
	}
	is("two operations", noon, "a", "")
	g.Git("remote", "add", "origin", "/nowhere")
	is("origin", noon, "origin", "")
	g.Git("config", "ckpt.remote", "b")
	repo, err := git.Open(g.Dir)
	gittest.Must(t, err)
	ref, err = ckptref.Of(t.Context(), repo)
	gittest.Must(t, err)
	is("a configured remote", noon, "b", "")
	g.Git("update-ref", "refs/ckpt/remotes/b", tip+"^")
	is("a push of the first operation", noon.Add(time.Hour), "b", "")
	g.Git("update-ref", "refs/ckpt/remotes/b", tip)
	is("a push", never, "b", "")
}
