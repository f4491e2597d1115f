//go:build unix

package load

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/test/ckpttest"
)

var loadAll = flag.Bool("load.all", false, "50 deltas from each of the processes that work at the same time, not one")

// TestLoad runs 16 processes that write deltas at the same time: to one checkpoint, to one each, and to both while a
// loop of `git commit` commits another file. Each acknowledged delta is on the ref as one commit and, after one more
// command, in the branch's file, once. Nothing else is on the ref, and git finds no error.
func TestLoad(t *testing.T) {
	const processes = 16
	each := 1
	if *loadAll {
		each = 50
	}
	var one, own []string // the checkpoint of each process
	for i := range processes {
		one, own = append(one, "chk-one"), append(own, fmt.Sprintf("chk-own-%02d", i))
	}
	for _, test := range []struct {
		name   string
		of     []string
		beside bool // git commit runs, too
	}{
		{"one checkpoint", one, false},
		{"one each", own, false},
		{"both, beside git", slices.Concat(one, own), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLoad(t)
			for _, id := range slices.Compact(slices.Sorted(slices.Values(test.of))) {
				l.must("new", "--id", id, "--problem", "Logins fail", "--parked")
			}
			setUp := l.operations()
			start := time.Now()
			ctx, finished := context.WithCancel(t.Context())
			var deltas, commits sync.WaitGroup
			for i, id := range test.of {
				deltas.Go(func() {
					for n := range each {
						l.delta(id, fmt.Sprintf("Delta %d of process %d", n, i))
					}
				})
			}
			if test.beside {
				commits.Go(func() {
					for n := 0; ctx.Err() == nil; n++ {
						l.commit(fmt.Sprintf("Plain %d", n))
					}
				})
			}
			deltas.Wait()
			took := time.Since(start)
			finished()
			commits.Wait()
			t.Logf("%d deltas and %d plain commits in %v; ckpt was busy %d times, git met a lock %d times",
				len(l.done), l.plain, took.Round(time.Millisecond), l.busy, l.locked)
			if want := len(test.of) * each; len(l.done) != want {
				t.Errorf("%d deltas are done, not %d", len(l.done), want)
			}
			l.look(setUp, test.beside)
		})
	}
}

// load is a repository in which many processes work.
type load struct {
	t    *testing.T
	ckpt string // the executable
	dir  string

	mu     sync.Mutex
	done   map[string]string // the checkpoints of the acknowledged deltas, by text
	plain  int               // the number of commits that git made
	busy   int               // how often ckpt stopped waiting for a lock
	locked int               // how often git met a lock, for which it does not wait
}

func newLoad(t *testing.T, init ...string) *load {
	home := t.TempDir()
	l := &load{t: t, ckpt: ckpttest.Executable(t, home), dir: filepath.Join(home, "repo"), done: map[string]string{}}
	gittest.Must(t, os.Mkdir(l.dir, 0o777))
	l.write("0\n")
	l.git("init", "-q", "-b", "main")
	if !*loadAll { // with -load.all maintenance runs, too
		l.git("config", "maintenance.auto", "false")
	}
	l.git("add", ".")
	l.git("commit", "-q", "-m", "First")
	l.must(append([]string{"init"}, init...)...)
	return l
}

// delta writes a delta, and tries again while ckpt is busy.
func (l *load) delta(id, text string) {
	for range 20 {
		out, err := l.run(l.ckpt, "delta", "-c", id, "-m", text)
		failed, _ := errors.AsType[*exec.ExitError](err)
		l.mu.Lock()
		switch {
		case err == nil:
			l.done[text] = id
		case failed != nil && failed.ExitCode() == 5:
			l.busy++
		default:
			l.t.Errorf("%s: %v\n%s", text, err, out)
		}
		l.mu.Unlock()
		if failed == nil || failed.ExitCode() != 5 {
			return
		}
	}
	l.t.Errorf("%s: ckpt is always busy", text)
}

// commit commits another file with git, and tries again while the index is locked.
func (l *load) commit(message string) {
	l.write(message + "\n")
	for range 10_000 {
		out, err := l.run("git", "commit", "-q", "-m", message, "--", "code.go")
		switch {
		case err == nil:
			l.plain++
			return
		case strings.Contains(out, "index.lock': File exists"), strings.Contains(out, "cannot lock ref"):
			l.locked++
			time.Sleep(time.Millisecond)
		default:
			l.t.Errorf("%s: %v\n%s", message, err, out)
			return
		}
	}
	l.t.Errorf("%s: git always meets a lock", message)
}

// behind matches the status of a file whose index entry differs from HEAD and the file.
var behind = text.Regexp(`(?m)^MM checkpoints/active/.*$`)

// look checks the result. SetUp is the number of operations before the load. Beside git, an index entry may be older
// than HEAD: git commit reads the index before it locks it, and overwrites entries that were written in between. HEAD
// and the files are right.
func (l *load) look(setUp int, beside bool) {
	t := l.t
	l.must("save") // publishes what git has prevented
	if n, want := l.operations(), setUp+len(l.done); n != want {
		t.Errorf("%d operations, not %d", n, want)
	}
	operations, commits := l.log(checkpointRef), l.log("HEAD")
	for text, id := range l.done {
		want := "ckpt: delta " + id + ": " + text + "|" + id + "|delta"
		if n := count(operations, want); n != 1 {
			t.Errorf("%q is on the ref %d times", want, n)
		}
		src := l.git("show", "HEAD:checkpoints/active/"+id+".md")
		if n := count(strings.Split(src, "\n"), text); n != 1 {
			t.Errorf("%q is in %s %d times", text, id, n)
		}
	}
	for n := range l.plain {
		if want := fmt.Sprintf("Plain %d||", n); count(commits, want) != 1 {
			t.Errorf("%q is not in history once", want)
		}
	}
	for _, command := range [][]string{
		{"status", "--porcelain", "--untracked-files=all"}, // the index can be read, and is as HEAD and the files are
		{"fsck", "--strict", "--no-dangling", "--no-progress"},
		{"rev-list", "--merges", "HEAD"},
	} {
		said := l.git(command...)
		if beside && command[0] == "status" {
			said = behind.Get().ReplaceAllString(said, "")
		}
		if said = strings.TrimSpace(said); said != "" {
			t.Errorf("git %s: %s", command[0], said)
		}
	}
	left := l.left()
	for range 300 { // housekeeping may still be at work
		if len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
		left = l.left()
	}
	t.Errorf("left: %s", left)
}

// log returns all commits of a revision, as "subject|checkpoint|operation".
func (l *load) log(rev string) []string {
	const one = "%s|%(trailers:key=Checkpoint,valueonly,separator=)|%(trailers:key=Checkpoint-Op,valueonly,separator=)"
	return strings.Split(strings.TrimSpace(l.git("log", "--format="+one, rev)), "\n")
}

// left returns the lock files and temporary files in the repository.
func (l *load) left() (left []string) {
	gittest.Must(l.t, filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was removed in the meantime
		}
		name := d.Name()
		if strings.HasSuffix(name, ".lock") || strings.HasPrefix(name, "tmp_") || strings.HasPrefix(name, ".ckpt-") || name == "gc.pid" {
			left = append(left, path)
		}
		return err
	}))
	return left
}

func count(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

func (l *load) run(name string, args ...string) (string, error) {
	out, err := l.command(context.Background(), name, args...).CombinedOutput()
	return string(out), err
}

func (l *load) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := envtest.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = l.dir, l.env()
	return cmd
}

// at returns a load for another worktree or clone of the repository.
func (l *load) at(dir string) *load { return &load{t: l.t, ckpt: l.ckpt, dir: dir} }

func (l *load) env() []string {
	home := filepath.Dir(l.dir)
	return envtest.Env("HOME="+home, "XDG_CONFIG_HOME="+home, "CKPT_TEST_TIME=2026-01-02T10:00:00Z", ckpttest.NoSleep)
}

func (l *load) must(args ...string) {
	l.t.Helper()
	if out, err := l.run(l.ckpt, args...); err != nil {
		l.t.Fatalf("ckpt %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (l *load) git(args ...string) string {
	l.t.Helper()
	out, err := l.run("git", args...)
	if err != nil {
		l.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// write changes the file that plain commits are about.
func (l *load) write(content string) {
	gittest.Must(l.t, os.WriteFile(filepath.Join(l.dir, "code.go"), []byte("package code\n\n// "+content), 0o666))
}
