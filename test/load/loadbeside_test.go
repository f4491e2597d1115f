//go:build unix

package load

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// fewNotes is the number of notes without a flag. Every second gesture then has the slow hook; otherwise each is tried
// with and without it.
const fewNotes = 72

var besideNotes = flag.Int("load.beside", 0, "write `N` notes in all beside gestures of git, not 72 (or 2,000 with -load.all)")

// gestures are git commands that a person runs in a loop while notes are written.
var gestures = []struct {
	name string
	do   func(*person)
	ends []string // the branches that a note may have begun on; main if empty
}{
	{"switch", func(p *person) { p.git("checkout -q other", "checkout -q main") }, []string{"main", "other"}},
	{"detach", func(p *person) { p.git("checkout -q --detach", "checkout -q main") }, nil},
	{"old commit", func(p *person) { p.git("checkout -q --detach main~2", "checkout -q main") }, nil},
	{"rebase -i, given up", func(p *person) { p.git(stopsAtEdit, "rebase --abort") }, nil},
	{"rebase -i, continued", func(p *person) { p.git(stopsAtEdit, "rebase --continue") }, nil},
	{"rebase with a conflict, given up", func(p *person) { p.git("rebase -q conflict", "rebase --abort") }, nil},
	{"rebase with a conflict, continued", (*person).rebase, nil},
	{"bisect", func(p *person) { p.git("bisect start main main~3", "bisect bad", "bisect reset") }, nil},
	{"reset --hard", func(p *person) { p.write("edited"); p.git("reset -q --hard") }, nil},
	{"reset --hard HEAD~1", func(p *person) {
		if p.commit("Ours") {
			p.git("reset -q --hard HEAD~1")
		}
	}, nil},
	{"stash and pop", func(p *person) { p.write("edited"); p.git("stash push -q", "stash pop -q") }, nil},
	{"commit --amend", func(p *person) { p.write("amended"); p.git("commit -q --no-verify --amend --no-edit -- code.go") }, nil},
	{"revert", (*person).revert, nil},
	{"cherry-pick", func(p *person) { p.git("cherry-pick picks~1", "cherry-pick picks", "cherry-pick --abort") }, nil},
	{"merge --no-ff", func(p *person) {
		p.theirs("more.go", false)
		p.git("merge -q --no-ff --no-verify -m Merged FETCH_HEAD", "merge --abort")
	}, nil},
	{"merge --squash", func(p *person) {
		p.theirs("more.go", false)
		p.git("merge -q --squash FETCH_HEAD", "commit -q --no-verify -m Squashed", "reset -q --hard")
	}, nil},
	{"pull", func(p *person) {
		p.theirs("more.go", true)
		p.git("pull -q --no-rebase --no-edit ../colleague main", "merge --abort")
	}, nil},
	{"pull --rebase", func(p *person) {
		p.theirs("more.go", true)
		p.git("pull -q --rebase ../colleague main", "rebase --abort")
	}, nil},
}

const stopsAtEdit = "-c sequence.editor=./edit-first rebase -q -i HEAD~3"

// TestLoadBesideGestures writes notes in own mode while a person moves HEAD or rewrites the branch. In the
// end each acknowledged note is in the store. Once git is idle and one more command has run, it is also in
// the file of the branch on which it began. While HEAD moved between two branches, the note may have begun
// on either, so one of them is enough. A note is refused only if ckpt could not get a lock (exit code 5),
// and is then not in the store. Text that a colleague without ckpt has written and a pull has fetched is in
// the store, too.
func TestLoadBesideGestures(t *testing.T) {
	notes := fewNotes
	if *loadAll {
		notes = 2000
	}
	if *besideNotes > 0 {
		notes = *besideNotes
	}
	template := newPerson(t)
	for i, g := range gestures {
		for n, hook := range []string{"", " and a slow hook"} {
			if i%2 != n && notes == fewNotes {
				continue
			}
			t.Run(g.name+hook, func(t *testing.T) {
				p := template.copy(t, hook != "")
				ctx, finished := context.WithCancel(t.Context())
				var moving sync.WaitGroup
				moving.Go(func() {
					for ; ctx.Err() == nil; p.moves++ {
						g.do(p)
					}
				})
				refused := p.writeNotes(max(2, notes/len(gestures)/2))
				finished()
				moving.Wait()
				p.becomeIdle()
				p.check(refused, g.ends)
			})
		}
	}
}

// person is a user who works with git while notes are written.
type person struct {
	*load
	moves   int
	writes  int
	bullets map[string]string // what the colleague wrote by hand, and in which commit
}

func newPerson(t *testing.T) *person {
	p := &person{load: newLoad(t), bullets: map[string]string{}}
	p.must("new", "--id", "chk-one", "--problem", "Logins fail")
	p.git("branch other", "checkout -q -b conflict")
	p.commit("Theirs")
	p.git("checkout -q main", "checkout -q -b picks")
	pick := filepath.Join(p.dir, "pick.go")
	gittest.Must(t, os.WriteFile(pick, []byte("package code\n"), 0o666))
	p.git("add pick.go", "commit -q --no-verify -m Pick")
	gittest.Must(t, os.Remove(pick))
	p.git("commit -q --no-verify -a -m Unpick", "checkout -q main")
	for range 4 {
		p.commit("Ours")
	}
	p.load.git("clone", "-q", ".", "../colleague")
	p.load.git("-C", "../colleague", "remote", "set-url", "origin", "../repo")
	editor := filepath.Join(p.dir, "edit-first")
	gittest.Must(t, os.WriteFile(editor, []byte("#!/bin/sh\nsed -i.bak 1s/pick/edit/ \"$1\"\n"), 0o777))
	return p
}

// copy returns a copy of the person's repository and of the colleague's. If slow is true, it has a slow hook.
func (p *person) copy(t *testing.T, slow bool) *person {
	home := t.TempDir()
	gittest.Must(t, os.CopyFS(home, os.DirFS(filepath.Dir(p.dir))))
	p = &person{load: p.at(filepath.Join(home, "repo")), bullets: map[string]string{}}
	p.t, p.done = t, map[string]string{}
	if slow {
		hook := filepath.Join(p.dir, ".git", "hooks", "commit-msg")
		gittest.Must(t, os.MkdirAll(filepath.Dir(hook), 0o777))
		gittest.Must(t, os.WriteFile(hook, []byte("#!/bin/sh\nsleep 0.02\n"), 0o777))
	}
	return p
}

// git runs commands, which may fail.
func (p *person) git(commands ...string) {
	for _, command := range commands {
		p.run("git", strings.Fields(command)...)
	}
}

// write writes code that differs from all before.
func (p *person) write(content string) {
	p.writes++
	p.load.write(fmt.Sprint(content, " ", p.writes))
}

// commit commits a change of code, and reports whether git could.
func (p *person) commit(message string) bool {
	p.write(message)
	_, err := p.run("git", "commit", "-q", "--no-verify", "-m", message, "--", "code.go")
	return err == nil
}

// rebase rebases onto a commit of the colleague that changes the same line, and resolves the conflict.
func (p *person) rebase() {
	p.theirs("code.go", false)
	p.commit("Ours")
	p.git("rebase -q FETCH_HEAD")
	for range 3 {
		p.write("settled")
		p.git("add code.go", "-c core.editor=true rebase --continue")
	}
	p.git("rebase --abort")
}

// revert reverts a commit that it makes.
func (p *person) revert() {
	p.commit("Ours")
	ours, _ := p.run("git", "log", "-1", "--format=%H", "--grep=^Ours")
	p.git("revert --no-edit "+strings.TrimSpace(ours), "revert --abort")
}

// theirs makes a commit in the colleague's clone, on top of main, and fetches it. If bullet is true, the
// colleague also writes a line into the checkpoint by hand.
func (p *person) theirs(file string, bullet bool) {
	there := &person{load: p.at(filepath.Join(p.dir, "..", "colleague"))}
	there.git("fetch -q origin main", "reset -q --hard FETCH_HEAD")
	p.writes++
	gittest.Must(p.t, os.WriteFile(filepath.Join(there.dir, file), fmt.Appendf(nil, "package code\n\n// theirs %d\n", p.writes), 0o666))
	text := ""
	if bullet {
		path := filepath.Join(there.dir, "checkpoints", "active", "chk-one.md")
		src, err := os.ReadFile(path)
		gittest.Must(p.t, err)
		text = fmt.Sprintf("- Bullet %d.\n", len(p.bullets))
		const heading = "\n### Technical Context\n\n"
		gittest.Must(p.t, os.WriteFile(path, []byte(strings.Replace(string(src), heading, heading+text, 1)), 0o666))
	}
	there.git("add .", "commit -q -m Of-a-colleague")
	if bullet {
		p.bullets[text] = strings.TrimSpace(there.load.git("rev-parse", "HEAD"))
	}
	p.git("fetch -q ../colleague main")
}

// writeNotes writes notes, and returns the refused ones.
func (p *person) writeNotes(notes int) (refused []string) {
	for n := range notes {
		text := fmt.Sprintf("Note %d.", n)
		out, err := p.run(p.ckpt, "note", "-c", "chk-one", "step", text)
		if err == nil {
			p.done[text] = "chk-one"
			continue
		}
		refused = append(refused, text)
		if failed, _ := errors.AsType[*exec.ExitError](err); failed == nil || failed.ExitCode() != 5 {
			p.t.Errorf("%s: %v\n%s", text, err, out)
		}
	}
	return refused
}

// becomeIdle ends operations of git that a gesture has left unfinished.
func (p *person) becomeIdle() {
	for range 3 {
		p.git("rebase --abort", "merge --abort", "cherry-pick --abort", "revert --abort", "bisect reset")
	}
	p.git("reset -q --hard", "checkout -q main")
}

// check looks for the notes in the store, and in the files of the branches. For that it checks out each
// branch and runs one more command.
func (p *person) check(refused, branches []string) {
	t := p.t
	if len(branches) == 0 {
		branches = []string{"main"}
	}
	published := ""
	for _, branch := range branches {
		p.load.git("checkout", "-q", branch)
		p.must("save")
		published += p.load.git("show", branch+":"+oneFile)
		if out := p.load.git("status", "--porcelain", "-uall", "--", "checkpoints"); out != "" {
			t.Errorf("git status on %s: %s", branch, out)
		}
	}
	stored, err := p.run("git", "show", "refs/ckpt/checkpoints:"+oneFile)
	if err != nil {
		t.Errorf("the store: %s", stored)
	}
	lost, unpublished := 0, 0
	for text := range p.done {
		if !strings.Contains(stored, "- "+text+"\n") {
			lost++
			t.Logf("%q is not in the store", text)
		}
		if !strings.Contains(published, "- "+text+"\n") {
			unpublished++
			t.Logf("%q is not on %s", text, branches)
		}
	}
	for _, text := range refused {
		if strings.Contains(stored, "- "+text+"\n") {
			t.Errorf("%q was refused, and is in the store", text)
		}
	}
	came := 0
	for text, commit := range p.bullets {
		if _, err := p.run("git", "merge-base", "--is-ancestor", commit, "main"); err == nil {
			came++
			if !strings.Contains(stored, text) {
				t.Errorf("%q was pulled, and is not in the store", text)
			}
		}
	}
	t.Logf("%d notes done and %d refused beside %d gestures, which brought %d bullets", len(p.done), len(refused), p.moves, came)
	if lost+unpublished > 0 {
		t.Errorf("%d notes are not in the store, %d not on %s", lost, unpublished, branches)
	}
	if len(p.done) == 0 {
		t.Error("no note was done")
	}
	if out := p.load.git("fsck", "--strict", "--no-dangling", "--no-progress"); out != "" {
		t.Errorf("fsck: %s", out)
	}
}

const oneFile = "checkpoints/active/chk-one.md"
