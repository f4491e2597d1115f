package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

// TestMoveRef moves a ref by compare-and-set, wherever git keeps it.
func TestMoveRef(t *testing.T) {
	const ref = "refs/ckpt/test/a"
	eachShape(t, func(t *testing.T, g *gittest.Repo) {
		g.Commit("first", "code", "1\n")
		first := g.Git("rev-parse", "HEAD")
		g.Commit("second", "code", "2\n")
		second := g.Git("rev-parse", "HEAD")
		r := g.Open()
		unlock, err := r.Lock(t.Context(), disk.Exclusive)
		gittest.Must(t, err)
		defer unlock()
		for _, step := range []struct {
			name, to, from string
			pack, fails    bool
			want           string // what the ref names then
		}{
			{name: "it does not exist", to: second, from: first, fails: true},
			{name: "made", to: first, want: first},
			{name: "made again", to: second, fails: true, want: first},
			{name: "moved", to: second, from: first, want: second},
			{name: "moved from where it was", to: first, from: first, fails: true, want: second},
			{name: "moved from packed-refs", to: first, from: second, pack: true, want: first},
		} {
			if step.pack {
				g.Git("pack-refs", "--all")
			}
			err := r.Refs().Move(t.Context(), ref, step.to, step.from)
			if (err != nil) != step.fails || step.fails && fault.KindOf(err) != fault.Busy {
				t.Errorf("%s: %v", step.name, err)
			}
			if got, err := r.Refs().Read(t.Context(), ref); err != nil || got != step.want {
				t.Errorf("%s: the ref is %q, %v, want %q", step.name, got, err, step.want)
			}
			if got, _ := g.TryGit("rev-parse", "-q", "--verify", ref); got != step.want {
				t.Errorf("%s: to git the ref is %q, want %q", step.name, got, step.want)
			}
		}
	})
}

// TestMoveRefWaits moves a ref once another program has released its lock.
func TestMoveRefWaits(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "code", "1\n")
	lock := filepath.Join(g.Dir, ".git/refs/ckpt/a.lock")
	g.Write(".git/refs/ckpt/a.lock", "")
	r, head := g.Open(), g.Git("rev-parse", "HEAD")
	unlock, err := r.Lock(t.Context(), disk.Exclusive)
	gittest.Must(t, err)
	defer unlock()
	time.AfterFunc(30*time.Millisecond, func() { _ = os.Remove(lock) })
	gittest.Must(t, r.Refs().Move(t.Context(), "refs/ckpt/a", head, ""))
	if got := g.Git("rev-parse", "refs/ckpt/a"); got != head {
		t.Errorf("the ref is %s, want %s", got, head)
	}
}

// TestLeavingACheckout tells whether HEAD is where it was when an operation began.
func TestLeavingACheckout(t *testing.T) {
	for name, tt := range map[string]struct {
		step func(g *gittest.Repo)
		left bool
	}{
		"nothing":           {func(*gittest.Repo) {}, false},
		"a commit":          {func(g *gittest.Repo) { g.Commit("more", "code", "2\n") }, false},
		"another branch":    {func(g *gittest.Repo) { g.Git("switch", "-q", "-c", "other") }, true},
		"a detached HEAD":   {func(g *gittest.Repo) { g.Git("switch", "-q", "--detach") }, true},
		"a bisect":          {func(g *gittest.Repo) { g.Git("bisect", "start") }, true},
		"there and back":    {func(g *gittest.Repo) { g.Git("switch", "-q", "-c", "other"); g.Git("switch", "-q", "main") }, false},
		"an unborn history": {func(g *gittest.Repo) { g.Git("update-ref", "-d", "HEAD") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("base", "code", "1\n")
			r := g.Open()
			on, err := r.Checkout()
			gittest.Must(t, err)
			tt.step(g)
			if _, err := r.During(on).Still(on); (err != nil) != tt.left {
				t.Errorf("error %v, want one: %v", err, tt.left)
			}
			now, err := r.Still(git.Checkout{})
			if head, _ := g.TryGit("rev-parse", "-q", "--verify", "HEAD"); err != nil || now.Head().Hash != head {
				t.Errorf("now %v, %v, want %q", now, err, head)
			}
			if then, err := r.During(on).Head(); then != on.Head() || err != nil {
				t.Errorf("the moment's HEAD is %v, %v, want %v", then, err, on.Head())
			}
		})
	}
}

// TestBranchWith finds a branch that contains a commit.
func TestBranchWith(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "code", "1\n")
	base := g.Git("rev-parse", "HEAD")
	g.Git("switch", "-q", "-c", "feat")
	g.Commit("feat", "code", "2\n")
	feat := g.Git("rev-parse", "HEAD")
	g.Git("update-ref", "refs/remotes/origin/feat", feat)
	g.Git("switch", "-q", "main")
	g.Git("branch", "-q", "-D", "feat")
	b := g.Open().Branches()
	for commit, want := range map[string]string{base: "main", feat: ""} {
		if got, err := b.With(t.Context(), commit); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", commit, got, err, want)
		}
	}
}

// TestRetry removes a lock of the index that a ckpt has left only if no other ckpt can have it.
func TestRetry(t *testing.T) {
	g := gittest.New(t)
	lock := filepath.Join(g.Dir, ".git", "index.lock")
	for _, locked := range []bool{false, true} {
		g.Write(".git/index.lock", "held by ckpt, process 1\n")
		repo := g.Open()
		if locked {
			unlock, err := repo.Lock(t.Context(), disk.Exclusive)
			gittest.Must(t, err)
			defer unlock()
		}
		try := 0
		gittest.Must(t, repo.Retry(func() error {
			try++
			if try == 1 {
				return errors.New("cannot lock ref")
			}
			return nil
		}))
		if left := disk.Exists(lock); left == locked {
			t.Errorf("with ckpt's own lock %t: the lock of the index is there: %t", locked, left)
		}
	}
}
