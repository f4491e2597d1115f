package commit_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
)

// The test binary, if it is run as a committer, commits until it is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("CKPT_TEST_COMMITTER"); dir != "" {
		committer(dir, os.Getenv("CKPT_TEST_NAME"))
		return
	}
	os.Exit(m.Run())
}

// committer commits versions of its own file and prints the hash of each commit that Land returns.
func committer(dir, name string) {
	path := "checkpoints/" + name + ".md"
	for i := 0; ; i++ {
		r, err := git.Open(dir)
		if err == nil {
			var d *commit.Draft
			content := []byte(fmt.Sprintf("%s %d\n", name, i))
			d, err = prepare(context.Background(), r, []change.File{{Path: path, After: content}}, "commit "+name, time.Now())
			if err == nil {
				var hash string
				hash, err = d.Land(context.Background(), func() error {
					_ = os.MkdirAll(filepath.Join(dir, "checkpoints"), 0o755)
					return os.WriteFile(filepath.Join(dir, path), content, 0o644)
				})
				if err == nil {
					fmt.Println(hash)
				}
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

// Several ckpt and a git commit at the same time, git other files: every commit that was
// reported is in history, and nothing is broken.
func TestConcurrentCommits(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Git("config", "ckpt.fsync", "off")
	const workers, each = 4, 8
	var mu sync.Mutex
	var done []string
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := 0; i < each; {
				r, err := git.Open(g.Dir)
				if err != nil {
					t.Error(err)
					return
				}
				unlock, err := r.Lock(t.Context(), disk.Exclusive) // as an operation has it
				if err != nil {
					t.Error(err)
					return
				}
				f := change.File{Path: fmt.Sprintf("checkpoints/w%d.md", w), After: fmt.Appendf(nil, "%d\n", i)}
				d, err := prepare(t.Context(), r, []change.File{f}, "ckpt", time.Now())
				if err != nil {
					t.Error(err)
					return
				}
				hash, err := d.Land(t.Context(), writing(g, []change.File{f}))
				unlock()
				if errors.Is(err, git.ErrMoved) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				done = append(done, hash)
				mu.Unlock()
				i++
			}
		})
	}
	wg.Go(func() {
		for i := range each {
			g.Write("code.txt", fmt.Sprint(i))
			if _, err := g.TryGit("add", "code.txt"); err != nil {
				continue // git does not wait for locks
			}
			if _, err := g.TryGit("commit", "-q", "-m", "code", "--", "code.txt"); err != nil {
				continue
			}
			if out, err := g.TryGit("log", "-1", "--format=%H", "--", "code.txt"); err == nil {
				mu.Lock()
				done = append(done, out)
				mu.Unlock()
			}
		}
	})
	wg.Wait()
	checkHistory(t, g, done)
	if got := g.Git("status", "--porcelain", "checkpoints"); got != "" {
		t.Errorf("status: %s", got)
	}
	if len(done) < workers*each {
		t.Errorf("%d commits", len(done))
	}
}

// A committer is killed at any moment: every commit that it reported is in history, index
// and refs are whole, and the next commit works without help.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	g := gittest.New(t)
	g.Commit("base", gittest.Base()...)
	g.Git("config", "ckpt.fsync", "off")
	var done []string
	for i := range 25 {
		done = append(done, killOne(t, g, i)...)
		f := change.File{Path: "checkpoints/after.md", After: fmt.Appendf(nil, "%d\n", i)}
		done = append(done, record(t, g, f))
		if left, _ := filepath.Glob(filepath.Join(g.Dir, ".git", "*.lock")); len(left) > 0 {
			t.Errorf("locks left: %v", left)
		}
		if out, err := g.TryGit("status", "--porcelain", "checkpoints/after.md"); err != nil || out != "" {
			t.Errorf("status: %v %s", err, out)
		}
	}
	checkHistory(t, g, done)
}

// killOne starts a committer and kills it somewhere in its work.
func killOne(t *testing.T, g *gittest.Repo, i int) (done []string) {
	t.Helper()
	cmd := g.Command(os.Args[0])
	cmd.Env = append(cmd.Env, "CKPT_TEST_COMMITTER="+g.Dir, fmt.Sprintf("CKPT_TEST_NAME=k%d", i))
	out, err := cmd.StdoutPipe()
	gittest.Must(t, err)
	gittest.Must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		done = append(done, lines.Text())
		if len(done) == 2 {
			time.AfterFunc(rand.N(8*time.Millisecond), func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed, as it should be
	return done
}

func checkHistory(t *testing.T, g *gittest.Repo, done []string) {
	t.Helper()
	history := lines(g.Git("rev-list", "HEAD"))
	for _, hash := range done {
		if !history[strings.TrimSpace(hash)] {
			t.Errorf("%s is not in history", hash)
		}
	}
	if out, err := g.TryGit("fsck", "--strict", "--no-dangling", "--no-progress"); err != nil || out != "" {
		t.Errorf("fsck: %v\n%s", err, out)
	}
}
