//go:build unix

package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestLoadBesideGestures writes notes beside a person who keeps moving HEAD: rebases that
// are given up, bisects, detached HEADs, resets and stashes. What was said to be done is on
// the branch in the end, or a command has said that git took it off. A note that was begun
// on a detached HEAD is committed there, as its receipt says. One that is refused is not
// done: git may hold its lock, or have removed the file to write another version of it.
func TestLoadBesideGestures(t *testing.T) {
	if !*loadAll {
		t.Skip("-load.all: with commit: own a note in some hundreds is still lost beside these gestures")
	}
	const notes = 200
	gestures := []struct {
		name     string
		commands []string // which may fail: that is the person's business
	}{
		{"rebase", []string{"rebase -q conflict", "rebase --abort"}},
		{"bisect", []string{"bisect start main main~2", "bisect reset"}},
		{"detach", []string{"checkout -q --detach", "checkout -q main"}},
		{"reset", []string{"reset -q --hard"}},
		{"stash", []string{"stash push -q", "stash pop -q"}},
	}
	for _, g := range gestures {
		for _, slow := range []bool{false, true} {
			name := g.name
			if slow {
				name += " and a slow hook"
			}
			t.Run(name, func(t *testing.T) {
				l := newLoad(t)
				if slow {
					hook := filepath.Join(l.dir, ".git", "hooks", "commit-msg")
					gittest.Must(t, os.MkdirAll(filepath.Dir(hook), 0o777))
					gittest.Must(t, os.WriteFile(hook, []byte("#!/bin/sh\nsleep 0.02\n"), 0o777))
				}
				l.must("new", "--id", "chk-one", "--problem", "Logins fail")
				l.git("checkout", "-q", "-b", "conflict")
				l.write("theirs")
				l.git("commit", "-q", "--no-verify", "-a", "-m", "Theirs")
				l.git("checkout", "-q", "main")
				for i := range 3 {
					l.write(fmt.Sprint("ours ", i))
					l.git("commit", "-q", "--no-verify", "-a", "-m", "Ours")
				}
				ctx, finished := context.WithCancel(t.Context())
				var person sync.WaitGroup
				moves := 0
				person.Go(func() {
					for ; ctx.Err() == nil; moves++ {
						if g.name == "stash" {
							l.write(fmt.Sprint("edited ", moves))
						}
						for _, command := range g.commands {
							l.run("git", strings.Fields(command)...)
						}
					}
				})
				said := strings.Builder{}
				done, detached := 0, 0
				for n := range notes {
					text := fmt.Sprintf("Note %d.", n)
					out, err := l.run(l.ckpt, "note", "-c", "chk-one", "step", text)
					said.WriteString(out)
					switch {
					case strings.Contains(out, "[detached HEAD "):
						detached++
					case err == nil:
						done++
						l.done[text] = "chk-one"
					default:
						refused, _ := errors.AsType[*exec.ExitError](err)
						if refused == nil || refused.ExitCode() < 3 || refused.ExitCode() > 5 { // not there, half written, busy
							t.Errorf("%s: %v\n%s", text, err, out)
						}
					}
				}
				finished()
				person.Wait()
				for range 3 { // what a gesture left half done
					l.run("git", "rebase", "--abort")
					l.run("git", "bisect", "reset")
					l.run("git", "checkout", "-q", "main")
				}
				out, err := l.run(l.ckpt, "save")
				said.WriteString(out)
				if err != nil {
					t.Errorf("save: %v\n%s", err, out)
				}
				branch := l.git("show", "main:checkpoints/active/chk-one.md")
				dropped, lost := 0, 0
				for text := range l.done {
					switch {
					case strings.Contains(branch, "- "+text+"\n"):
					case strings.Contains(said.String(), "no longer contains \"note chk-one: step: "+text+"\""):
						dropped++
					default:
						lost++
						t.Errorf("%q is lost, and nothing said so", text)
					}
				}
				t.Logf("%d notes: %d done, %d on a detached HEAD, the others refused, beside %d gestures; git dropped %d and ckpt said so; %d lost",
					notes, done, detached, moves, dropped, lost)
				if t.Failed() {
					t.Logf("%s\n%s", said.String(), l.git("reflog"))
				}
				if out := l.git("fsck", "--strict", "--no-dangling", "--no-progress"); out != "" {
					t.Errorf("fsck: %s", out)
				}
			})
		}
	}
}
