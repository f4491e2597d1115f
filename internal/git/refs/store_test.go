package refs_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/refs"
)

func storeOf(g *gittest.Repo) *refs.Store {
	dir := filepath.Join(g.Dir, ".git")
	return refs.Open(dir, dir, func() disk.Sharing { return disk.Sharing{} })
}

// TestHead follows HEAD as git does.
func TestHead(t *testing.T) {
	for _, tt := range []struct {
		name    string
		arrange func(g *gittest.Repo)
		chain   []string // nil for an error
	}{
		{"a branch", func(*gittest.Repo) {}, []string{"HEAD", "refs/heads/main"}},
		{"a packed branch", func(g *gittest.Repo) { g.Git("pack-refs", "--all") }, []string{"HEAD", "refs/heads/main"}},
		{"a detached HEAD", func(g *gittest.Repo) { g.Git("switch", "-q", "--detach") }, []string{"HEAD"}},
		{"an unborn branch", func(g *gittest.Repo) { g.Git("symbolic-ref", "HEAD", "refs/heads/new") },
			[]string{"HEAD", "refs/heads/new"}},
		{"a branch below an empty folder of that name", func(g *gittest.Repo) {
			g.Git("symbolic-ref", "HEAD", "refs/heads/a")
			g.Write(".git/refs/heads/a/b/c.lock", "")
		}, []string{"HEAD", "refs/heads/a"}},
		{"a symbolic branch", func(g *gittest.Repo) {
			g.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
			g.Git("symbolic-ref", "HEAD", "refs/heads/alias")
		}, []string{"HEAD", "refs/heads/alias", "refs/heads/main"}},
		{"a circle", func(g *gittest.Repo) { g.Write(".git/refs/heads/main", "ref: refs/heads/main\n") }, nil},
		{"a path outside of refs", func(g *gittest.Repo) { g.Write(".git/HEAD", "ref: refs/../config\n") }, nil},
		{"a broken ref", func(g *gittest.Repo) { g.Write(".git/refs/heads/main", "0123\n") }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", "code", "1\n")
			tt.arrange(g)
			chain, hash, err := storeOf(g).Head()
			if tt.chain == nil {
				if fault.KindOf(err) != fault.Failed {
					t.Errorf("%q at %q, %v, want an error", chain, hash, err)
				}
				return
			}
			want, _ := g.TryGit("rev-parse", "-q", "--verify", "HEAD")
			if err != nil || hash != want || !slices.Equal(chain, tt.chain) {
				t.Errorf("%q at %q, %v, want %q at %q", chain, hash, err, tt.chain, want)
			}
		})
	}
}

// TestLog reads a reflog as git does.
func TestLog(t *testing.T) {
	g := gittest.New(t)
	g.Commit("first: a", "code", "1\n")
	s := storeOf(g)
	if moves, err := s.Log("refs/heads/none"); err != nil || len(moves) > 0 {
		t.Errorf("a ref without a log: %v, %v", moves, err)
	}
	g.Commit("second: b", "code", "2\n")
	commits := strings.Fields(g.Git("rev-parse", "HEAD^", "HEAD"))
	for i := range 400 {
		line := fmt.Sprintf("%s %s Test <test@example.com> %d +0000\tstep: %d\n", commits[0], commits[i/350], 1767348000+i, i)
		gittest.Must(t, s.AppendLog("HEAD", line, false))
		gittest.Must(t, s.AppendLog("refs/heads/none", line, false)) // makes no log
	}
	moves, err := s.Log("HEAD")
	want := strings.Split(g.Git("reflog", "--format=%H", "-n", "100"), "\n")
	if err != nil || len(moves) < len(want) {
		t.Fatalf("%d lines, %v", len(moves), err)
	}
	for i, line := range want {
		if moves[i] != line {
			t.Errorf("line %d is %q, want %q", i, moves[i], line)
		}
	}
	if moves, err := s.Log("refs/heads/none"); err != nil || len(moves) > 0 {
		t.Errorf("a log was made: %v, %v", moves, err)
	}
}
