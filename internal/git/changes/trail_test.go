package changes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/gittest"
)

func TestTrail(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(g *gittest.Repo) // after the base commit, which has old.txt, other.txt and checkpoints/x.md
		want string
	}{
		{"nothing", func(g *gittest.Repo) {}, ""},
		{"own commits, newest subject", func(g *gittest.Repo) {
			g.Commit("add it", "new.txt", "1\n")
			g.Commit("change it", "new.txt", "2\n", "old.txt", "2\n")
		}, "created new.txt [change it], modified old.txt [change it]"},
		{"created and deleted again", func(g *gittest.Repo) {
			g.Commit("add", "new.txt", "1\n")
			g.Git("rm", "-q", "new.txt")
			g.Git("commit", "-q", "-m", "drop")
		}, ""},
		{"created, deleted only on disk", func(g *gittest.Repo) {
			g.Commit("add", "new.txt", "1\n")
			remove(g, "new.txt")
		}, ""},
		{"deleted", func(g *gittest.Repo) { g.Git("rm", "-q", "old.txt") }, "deleted old.txt *"},
		{"deleted from the index only", func(g *gittest.Repo) { g.Git("rm", "-q", "--cached", "old.txt") }, "modified old.txt *"},
		{"deleted and made again", func(g *gittest.Repo) {
			g.Git("rm", "-q", "old.txt")
			g.Git("commit", "-q", "-m", "drop")
			g.Write("old.txt", "other\n")
		}, "modified old.txt [drop] *"},
		{"staged, unstaged, untracked, ignored", func(g *gittest.Repo) {
			g.Write(".gitignore", "*.log\n")
			g.Git("add", ".gitignore")
			g.Write("old.txt", "2\n")
			g.Write("deep/er/file.txt", "1\n")
			g.Write("x.log", "1\n")
		}, "created .gitignore *, created deep/er/file.txt *, modified old.txt *"},
		{"intent to add", func(g *gittest.Repo) {
			g.Write("n.txt", "1\n")
			g.Git("add", "-N", "n.txt")
		}, "created n.txt *"},
		{"staged and gone from disk", func(g *gittest.Repo) {
			g.Write("n.txt", "1\n")
			g.Git("add", "n.txt")
			remove(g, "n.txt")
		}, ""},
		{"renamed in a commit, changed on disk", func(g *gittest.Repo) {
			g.Git("mv", "old.txt", "moved.txt")
			g.Git("commit", "-q", "-m", "move")
			g.Write("moved.txt", strings.Repeat("line\n", 30)+"more\n")
		}, "modified moved.txt <- old.txt [move] *"},
		{"renamed twice", func(g *gittest.Repo) {
			g.Git("mv", "old.txt", "moved.txt")
			g.Git("commit", "-q", "-m", "move")
			g.Git("mv", "moved.txt", "again.txt")
		}, "modified again.txt <- old.txt [move] *"},
		{"renamed and back", func(g *gittest.Repo) {
			g.Git("mv", "old.txt", "moved.txt")
			g.Git("commit", "-q", "-m", "move")
			g.Git("mv", "moved.txt", "old.txt")
		}, "modified old.txt [move] *"},
		{"new file renamed", func(g *gittest.Repo) {
			g.Commit("add", "new.txt", strings.Repeat("new\n", 30))
			g.Git("mv", "new.txt", "n2.txt")
		}, "created n2.txt [add] *"},
		{"renamed and deleted", func(g *gittest.Repo) {
			g.Git("mv", "old.txt", "moved.txt")
			g.Git("commit", "-q", "-m", "move")
			g.Git("rm", "-q", "moved.txt")
		}, "deleted old.txt [move] *"},
		{"the excluded folder", func(g *gittest.Repo) {
			g.Commit("ckpt", "checkpoints/x.md", "2\n", "checkpoints/y.md", "2\n")
			g.Write("checkpoints/z.md", "1\n")
			g.Write("checkpoints2/z.md", "1\n")
		}, "created checkpoints2/z.md *"},
		{"moved out of the excluded folder", func(g *gittest.Repo) {
			g.Git("mv", "checkpoints/x.md", "x.md")
			g.Git("mv", "old.txt", "checkpoints/old.md")
		}, "deleted old.txt *, created x.md *"},
		{"strange names and binary files", func(g *gittest.Repo) {
			g.Commit("bin", "bin\tary é \"q\".dat", "\x00\x01\n")
			g.Write("new\nline", "x")
		}, "created bin\tary é \"q\".dat [bin], created new\nline *"},
		{"other people's commits", func(g *gittest.Repo) {
			g.Commit("mine", "a.txt", "1\n", "b.txt", strings.Repeat("b\n", 30), "c.txt", "1\n")
			g.Write("d.txt", "something else\n")
			g.Git("add", "d.txt")
			g.Git("rm", "-q", "a.txt")
			g.Git("mv", "b.txt", "b2.txt")
			g.Git("commit", "-q", "-m", "theirs", "--author", "Bo <bo@example.com>")
		}, "created b2.txt [mine], created c.txt [mine]; others 1"},
		{"merged work of others", func(g *gittest.Repo) {
			g.Git("checkout", "-q", "-b", "side")
			g.Commit("side", "side.txt", "1\n")
			g.Git("checkout", "-q", "main")
			g.Commit("mine", "a.txt", "1\n")
			g.Git("merge", "-q", "-m", "merge", "side")
		}, "created a.txt [mine]"},
		{"in conflict", func(g *gittest.Repo) {
			g.Git("checkout", "-q", "-b", "side")
			g.Commit("side", "old.txt", "side\n")
			g.Git("checkout", "-q", "main")
			g.Commit("mine", "old.txt", "mine\n")
			g.TryGit("merge", "side")
		}, "modified old.txt [mine] *"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", "old.txt", strings.Repeat("line\n", 30), "other.txt", "1\n", "checkpoints/x.md", strings.Repeat("x\n", 30))
			base := g.Git("rev-parse", "HEAD")
			c.do(g)
			got := trail(t, g, base)
			if got.State != changes.Ancestor || got.Base != base {
				t.Errorf("state %v, base %q", got.State, got.Base)
			}
			if s := show(got); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

func TestTrailBases(t *testing.T) {
	g := gittest.New(t)
	g.Write("first.txt", "1\n")
	if got := trail(t, g, ""); got.State != changes.None || show(got) != "created first.txt *" {
		t.Errorf("unborn: %v %s", got.State, show(got))
	}
	if got := trail(t, g, strings.Repeat("1", 40)); got.State != changes.Gone || show(got) != "created first.txt *" {
		t.Errorf("unborn with a base: %v %s", got.State, show(got))
	}
	g.Commit("base", "first.txt", "1\n")
	base := g.Git("rev-parse", "HEAD")
	g.Commit("then", "then.txt", "1\n")
	then := g.Git("rev-parse", "HEAD")
	g.Git("commit", "-q", "--amend", "-m", "rewritten")
	if got := trail(t, g, then); got.State != changes.Diverged || got.Base != base || show(got) != "created then.txt [rewritten]" {
		t.Errorf("amended: %v %s %s", got.State, got.Base, show(got))
	}
	if got := trail(t, g, base[:10]); got.State != changes.Ancestor || got.Base != base {
		t.Errorf("short: %v %s", got.State, got.Base)
	}
	for _, gone := range []string{strings.Repeat("1", 40), "--all", "main"} {
		if got := trail(t, g, gone); got.State != changes.Gone || got.Base != "" || len(got.Files) != 0 {
			t.Errorf("%s: %v %s %s", gone, got.State, got.Base, show(got))
		}
	}
	g.Git("checkout", "-q", "--orphan", "lone")
	g.Commit("lone", "lone.txt", "1\n")
	if got := trail(t, g, base); got.State != changes.Gone {
		t.Errorf("no common ancestor: %v", got.State)
	}
	g.Git("commit", "-q", "--allow-empty", "-m", "x", "--author", "Bo <bo@example.com>")
	got, err := changes.Of(g.Open()).Since(t.Context(), changes.Base{Commit: g.Git("rev-parse", "HEAD~1")}, "checkpoints", true)
	gittest.Must(t, err)
	if got.Mine != 1 || got.Others != 0 {
		t.Errorf("all authors: mine %d, others %d", got.Mine, got.Others)
	}
}

func trail(t *testing.T, g *gittest.Repo, base string) changes.Work {
	t.Helper()
	got, err := changes.Of(g.Open()).Since(t.Context(), changes.Base{Commit: base}, "checkpoints", false)
	gittest.Must(t, err)
	return got
}

func show(trail changes.Work) string {
	var parts []string
	for _, f := range trail.Files {
		s := f.Action + " " + f.Path
		if f.Renamed {
			s += " <- " + f.From
		}
		if f.Subject != "" {
			s += " [" + f.Subject + "]"
		}
		if f.Uncommitted {
			s += " *"
		}
		parts = append(parts, s)
	}
	s := strings.Join(parts, ", ")
	if trail.Others > 0 {
		s += fmt.Sprintf("; others %d", trail.Others)
	}
	return s
}

func remove(g *gittest.Repo, path string) {
	if err := os.Remove(filepath.Join(g.Dir, path)); err != nil {
		g.T.Fatal(err)
	}
}
