//go:build unix

package load

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/test/ckpttest"
)

var (
	loadClones  = flag.Int("load.clones", 30, "how many clones sync at once in TestLoadSync, with -load.all")
	loadTimeout = flag.String("load.timeout", "30s", "the --timeout of each sync in TestLoadSync")
)

// TestLoadSync runs many clones that work and sync with one repository at the same time: in own mode and
// in ref mode, while syncs are killed, and with a hook of the remote that refuses half of the pushes. No
// sync fails. In the end all clones have the same folder on the ref, and nothing is lost.
func TestLoadSync(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	clones, rounds := 3, 1
	if *loadAll {
		clones, rounds = *loadClones, 3
	}
	for _, test := range []struct {
		name, mode  string
		kill, moody bool
	}{
		{name: "own", mode: "own"},
		{name: "own, killed", mode: "own", kill: true},
		{name: "own, refused at random", mode: "own", moody: true},
		{name: "ref", mode: "ref"},
		{name: "ref, killed", mode: "ref", kill: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !test.kill && !test.moody && !*loadAll {
				t.Skip("the others do the same, and more")
			}
			l := newSyncLoad(t, clones, test.mode)
			if test.moody {
				hook := filepath.Join(l.home, "hub.git", "hooks", "pre-receive")
				gittest.Must(t, os.WriteFile(hook, []byte("#!/bin/sh\nif [ $(($(od -An -N1 -tu1 /dev/urandom) % 2)) = 0 ]; then echo 'not in the mood'; exit 1; fi\n"), 0o777))
			}
			start := time.Now()
			var all sync.WaitGroup
			for i, clone := range l.clones {
				all.Go(func() {
					for n := range rounds {
						text := fmt.Sprintf("Decision %d of clone %d", n, i)
						l.must(clone, "ckpt", "note", "decision", text, "--why", "load", "-c", "chk-one")
						l.must(clone, "ckpt", "delta", "-m", text, "--next", text, "-c", fmt.Sprintf("chk-own-%02d", i))
						l.sync(clone, test.kill)
					}
				})
			}
			all.Wait()
			took := time.Since(start)
			for range 2 {
				for _, clone := range l.clones {
					l.must(clone, "ckpt", "sync", "--timeout", *loadTimeout)
				}
			}
			l.look(rounds)
			slices.Sort(l.times)
			commits, merges := l.must("hub.git", "git", "rev-list", "--count", checkpointRef), l.must("hub.git", "git", "rev-list", "--count", "--merges", checkpointRef)
			t.Logf("%d clones x %d rounds in %v: %d syncs, %d killed; median %v, p95 %v, longest %v; %s commits, %s of them merges",
				clones, rounds, took.Round(100*time.Millisecond), len(l.times), l.kills, l.times[len(l.times)/2], l.times[len(l.times)*95/100], l.times[len(l.times)-1],
				strings.TrimSpace(commits), strings.TrimSpace(merges))
		})
	}
}

const checkpointRef = "refs/ckpt/checkpoints"

// syncLoad is a bare repository and its clones.
type syncLoad struct {
	t      *testing.T
	home   string
	clones []string // folders

	mu    sync.Mutex
	times []time.Duration // of the syncs that ended by themselves
	kills int
}

func newSyncLoad(t *testing.T, clones int, mode string) *syncLoad {
	l := &syncLoad{t: t, home: t.TempDir()}
	ckpttest.Executable(t, l.home)
	l.must("", "git", "init", "-q", "--bare", "-b", "main", "hub.git")
	l.must("", "git", "-C", "hub.git", "config", "receive.autogc", "false")
	l.must("", "git", "clone", "-q", "hub.git", "first")
	gittest.Must(t, os.WriteFile(filepath.Join(l.home, "first", "code.go"), []byte("package code\n"), 0o666))
	l.must("first", "git", "switch", "-q", "-c", "main")
	l.must("first", "git", "add", ".")
	l.must("first", "git", "commit", "-q", "-m", "First")
	l.must("first", "ckpt", "init", "--commit", mode)
	l.must("first", "ckpt", "new", "--id", "chk-one", "--problem", "Logins fail")
	for i := range clones {
		l.must("first", "ckpt", "new", "--id", fmt.Sprintf("chk-own-%02d", i), "--problem", "Logins fail", "--parked")
	}
	l.must("first", "git", "push", "-q", "-u", "origin", "main")
	l.must("first", "ckpt", "sync")
	for i := range clones {
		name := fmt.Sprintf("clone%02d", i)
		l.must("", "git", "clone", "-q", "hub.git", name)
		if _, err := exec.LookPath("setsid"); err == nil { // a kill here must not reach the processes of the remote
			l.must(name, "git", "config", "remote.origin.receivepack", "setsid git-receive-pack")
		}
		l.must(name, "git", "config", "gc.auto", "0")
		l.must(name, "ckpt", "sync")
		l.clones = append(l.clones, filepath.Join(l.home, name))
	}
	return l
}

func (l *syncLoad) command(dir, name string, args ...string) *exec.Cmd {
	cmd := envtest.Command(name, args...)
	if name == "ckpt" {
		cmd.Path, cmd.Err = filepath.Join(l.home, "ckpt"), nil
	}
	cmd.Dir = dir
	if !filepath.IsAbs(dir) {
		cmd.Dir = filepath.Join(l.home, dir)
	}
	cmd.Env = envtest.Env("PATH="+l.home+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+l.home, "XDG_CONFIG_HOME="+l.home, "CKPT_TEST_TIME=2026-01-02T10:00:00Z", ckpttest.NoSleep)
	return cmd
}

func (l *syncLoad) must(dir, name string, args ...string) string {
	out, err := l.command(dir, name, args...).CombinedOutput()
	if err != nil {
		l.t.Errorf("%s %s in %s: %v\n%s", name, strings.Join(args, " "), dir, err, out)
	}
	return string(out)
}

// sync syncs a clone. If kill is true, it first kills a few syncs: ckpt alone, or also
// the git that it has started.
func (l *syncLoad) sync(clone string, kill bool) {
	for range rand.N(3) {
		if !kill {
			break
		}
		cmd := l.command(clone, "ckpt", "sync", "--timeout", *loadTimeout)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		gittest.Must(l.t, cmd.Start())
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		victim := cmd.Process.Pid
		if rand.N(2) == 0 {
			victim = -victim
		}
		select {
		case <-ended:
			continue
		case <-time.After(rand.N(time.Second)):
		}
		_ = syscall.Kill(victim, syscall.SIGKILL)
		<-ended
		l.mu.Lock()
		l.kills++
		l.mu.Unlock()
	}
	start := time.Now()
	l.must(clone, "ckpt", "sync", "--timeout", *loadTimeout)
	l.mu.Lock()
	l.times = append(l.times, time.Since(start).Round(time.Millisecond))
	l.mu.Unlock()
}

// look checks the result.
func (l *syncLoad) look(rounds int) {
	folder := l.must("hub.git", "git", "rev-parse", checkpointRef+":checkpoints")
	one := l.must("hub.git", "git", "show", checkpointRef+":checkpoints/active/chk-one.md")
	for i, clone := range l.clones {
		if got := l.must(clone, "git", "rev-parse", checkpointRef+":checkpoints"); got != folder {
			l.t.Errorf("%s has another folder", clone)
		}
		if out := l.must(clone, "git", "status", "--porcelain"); out != "" {
			l.t.Errorf("%s: %s", clone, out)
		}
		if out := l.must(clone, "git", "fsck", "--strict", "--no-dangling", "--no-progress"); out != "" {
			l.t.Errorf("%s: fsck: %s", clone, out)
		}
		own := l.must("hub.git", "git", "show", fmt.Sprintf("%s:checkpoints/active/chk-own-%02d.md", checkpointRef, i))
		for n := range rounds {
			text := fmt.Sprintf("Decision %d of clone %d", n, i)
			if c := strings.Count(one, "**"+text+"**"); c != 1 {
				l.t.Errorf("%q is in chk-one %d times", text, c)
			}
			if !strings.Contains(own, text) {
				l.t.Errorf("%q is not in its delta", text)
			}
		}
		for _, pattern := range []string{".git/*.lock", ".git/refs/heads/*.lock", ".git/refs/remotes/origin/*.lock", "checkpoints/active/.ckpt-*", "checkpoints/active/.tmp*"} {
			left, err := filepath.Glob(filepath.Join(clone, filepath.FromSlash(pattern)))
			gittest.Must(l.t, err)
			if len(left) > 0 {
				l.t.Errorf("left: %s", left)
			}
		}
	}
	l.must(l.clones[0], "ckpt", "validate")
	if out := l.must("hub.git", "git", "fsck", "--strict", "--no-dangling", "--no-progress"); out != "" {
		l.t.Errorf("fsck: %s", out)
	}
}
