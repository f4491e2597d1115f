//go:build unix

package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/text"
)

// TestLoadOnRef runs processes in five worktrees of one repository at the same time, in ref mode. They
// write to a common checkpoint and to one of each worktree, also by hand. One in five is killed at a
// random moment. Each acknowledged operation is once on the ref, as a commit, and once in the files
// of every worktree. A killed operation is there once or not at all.
func TestLoadOnRef(t *testing.T) {
	const worktrees = 5
	each := 8
	if *loadAll {
		each = 160
	}
	l := newLoad(t, "--commit", "ref")
	l.must("new", "--id", "chk-all", "--problem", "Logins fail", "--parked")
	all := make([]*worker, worktrees)
	for i := range all {
		name := fmt.Sprintf("worktree-%d", i)
		w := &worker{load: l.at(filepath.Join(filepath.Dir(l.dir), name)), name: name, random: rand.New(rand.NewPCG(uint64(i), 16))}
		l.git("worktree", "add", "-q", "-b", name, w.dir)
		w.must("new", "--id", "chk-"+name, "--problem", "Only here")
		all[i] = w
	}
	setUp := l.operations()
	start := time.Now()
	var work sync.WaitGroup
	for _, w := range all {
		work.Go(func() {
			for n := range each {
				w.operate(n)
			}
		})
	}
	work.Wait()
	took := time.Since(start)
	acknowledged, killed := 0, 0
	for _, w := range all {
		w.must("save") // in place of a killed save
		acknowledged, killed = acknowledged+len(w.done), killed+len(w.killed)
	}
	t.Logf("%d operations in %v: %d acknowledged, %d killed", worktrees*each, took.Round(time.Millisecond), acknowledged, killed)
	log := l.git("log", "--format=%s", "refs/ckpt/checkpoints")
	for _, w := range all {
		w.look(log)
	}
	if got := l.operations() - setUp; got < acknowledged || got > acknowledged+killed+worktrees {
		t.Errorf("%d commits for %d operations and %d that were killed", got, acknowledged, killed)
	}
	if merges := l.git("rev-list", "--merges", "refs/ckpt/checkpoints"); merges != "" {
		t.Errorf("there are merge commits:\n%s", merges)
	}
	if said := l.git("fsck", "--strict", "--no-dangling", "--no-progress"); said != "" {
		t.Errorf("git fsck: %s", said)
	}
	for _, w := range all {
		w.must("list")
		w.sameAsRef("the load in " + w.name)
	}
}

// worker is a worktree in which processes work one after the other.
type worker struct {
	*load
	name   string
	random *rand.Rand

	done, killed []string // the texts of the operations
	saved        []string // the texts of edits by hand
}

// operate makes one operation with a unique text. Its process may be killed.
func (w *worker) operate(n int) {
	text := fmt.Sprintf("Operation %d of %s.", n, w.name)
	var args []string
	switch n % 4 {
	case 0:
		args = []string{"delta", "-c", "all", "-m", text}
	case 1:
		args = []string{"note", "step", text, "-c", "all"}
	case 2:
		args = []string{"note", "decision", text, "--why", "It is so"}
	case 3:
		w.edit(text)
		w.saved = append(w.saved, text)
		args = []string{"save"}
	}
	kill := w.random.IntN(5) == 0
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		if kill {
			ctx, cancel = context.WithTimeout(ctx, time.Duration(w.random.IntN(60))*time.Millisecond)
		}
		cmd := w.command(ctx, w.ckpt, args...)
		out, err := cmd.CombinedOutput()
		wasKilled := ctx.Err() != nil && err != nil
		cancel()
		switch {
		case err == nil:
			w.done = append(w.done, text)
			return
		case wasKilled:
			w.killed = append(w.killed, text)
			return
		case cmd.ProcessState.ExitCode() != 5:
			w.t.Errorf("%s: %v\n%s", args, err, out)
			return
		}
	}
	w.t.Errorf("%s: ckpt is always busy", args)
}

// edit adds a line by hand, as an editor does.
func (w *worker) edit(line string) {
	file := filepath.Join(w.dir, ".ckpt", "active", "chk-"+w.name+".md")
	src, err := os.ReadFile(file)
	gittest.Must(w.t, err)
	edited := strings.Replace(string(src), "\n## Problem\n", "\n## By hand\n\n"+line+"\n\n## Problem\n", 1)
	if strings.Contains(string(src), "\n## By hand\n") {
		edited = strings.Replace(string(src), "\n## By hand\n\n", "\n## By hand\n\n"+line+"\n\n", 1)
	}
	gittest.Must(w.t, os.WriteFile(file, []byte(edited), 0o666))
}

// look checks that each acknowledged operation is once in the files and once in the log of the ref,
// and that each other one is in both or in neither. The text of a save is not in the log.
func (w *worker) look(log string) {
	files := w.read("chk-all") + w.read("chk-"+w.name)
	for _, text := range slices.Concat(w.done, w.killed) {
		inFiles, inLog := strings.Count(files, text), strings.Count(log, text)
		acknowledged, saved := slices.Contains(w.done, text), slices.Contains(w.saved, text)
		switch {
		case inFiles > 1 || acknowledged && inFiles == 0:
			w.t.Errorf("%s: %q is in the files %d times; acknowledged: %v", w.name, text, inFiles, acknowledged)
		case !saved && inLog != inFiles:
			w.t.Errorf("%s: %q is in the log %d times, in the files %d times", w.name, text, inLog, inFiles)
		}
	}
}

func (w *worker) read(id string) string {
	src, err := os.ReadFile(filepath.Join(w.dir, ".ckpt", "active", id+".md"))
	gittest.Must(w.t, err)
	return string(src)
}

// currentLine matches the line in which the files of a worktree differ from the ref.
var currentLine = text.Regexp(`(?m)^status: current$`)

// operations returns how many commits are on the ref.
func (l *load) operations() int {
	return strings.Count(l.git("rev-list", "refs/ckpt/checkpoints"), "\n")
}
