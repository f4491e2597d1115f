package walk

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	format "example.com/ckpt/internal/checkpoint"
)

// This file has the actions of the user with git and with files of code.

// codeFiles returns the files that a walk writes on a branch.
func codeFiles(branch string) []string {
	return []string{"code.go", "new " + branch + ".txt", "dir/more.go"}
}

// writeCode changes or makes a file, and may stage it.
func (w *walk) writeCode() { w.write(rapid.SampledFrom(codeFiles(w.branch)).Draw(w.T, "file")) }

func (w *walk) write(name string) {
	text := "package code // " + w.word() + "\n"
	if err := os.MkdirAll(filepath.Dir(filepath.Join(w.dir, name)), 0o777); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o666); err != nil {
		w.Fatal(err)
	}
	w.user[name] = text
	w.log = append(w.log, "write "+name)
	if w.chance(2, "stage it") {
		w.git("add", name)
	}
	w.status, _ = w.gitStatus()
}

// removeCode removes a file, and may remove it from the index.
func (w *walk) removeCode() { w.remove(w.one(slices.Sorted(maps.Keys(w.user)), "file to remove")) }

func (w *walk) remove(name string) {
	if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
		w.Fatal(err)
	}
	delete(w.user, name)
	w.log = append(w.log, "remove "+name)
	if w.chance(2, "from the index") {
		w.git("rm", "-q", "--cached", "--ignore-unmatch", name)
	}
	w.status, _ = w.gitStatus()
}

// comeAndGo writes a file, and removes it after a delta has listed it.
func (w *walk) comeAndGo() {
	name := codeFiles(w.branch)[1]
	w.write(name)
	w.deltaFromGit()
	if w.chance(2, "commit it") {
		w.commit()
	}
	w.remove(name)
	if w.chance(2, "commit that") {
		w.commit()
	}
	w.now = w.now.Add(time.Minute)
	w.deltaFromGit()
}

// commit commits all files of the user, and in off mode also the checkpoints.
func (w *walk) commit() {
	w.git("add", "-u", "--", ".", ":!checkpoints")
	for _, name := range slices.Sorted(maps.Keys(w.user)) {
		w.git("add", name)
	}
	if w.mode == "off" {
		w.git("add", "-A", "checkpoints")
	}
	w.status, _ = w.gitStatus()
	if exec := w.gitCommand("diff", "--cached", "--quiet"); exec.Run() == nil {
		w.Skip("nothing to commit")
	}
	w.git("commit", "-q", "-m", "Code")
	w.status, _ = w.gitStatus()
}

// markTwice commits a second checkpoint that is marked current, as a merge may do, and removes the mark again.
// The next undo must undo this second operation, and not an earlier one.
func (w *walk) markTwice() {
	m := w.model()
	others := slices.DeleteFunc(m.active(), func(id string) bool { return id == m.current })
	if w.mode != "own" || m.unsure || m.current == "" || len(others) == 0 {
		w.Skip("no other checkpoint can be marked")
	}
	w.withoutEdits()
	path := pathOf(m.all[w.one(others, "the second mark")])
	before := w.files()
	marked := strings.Replace(before[path], "\nstatus: active\n", "\nstatus: current\n", 1)
	if err := os.WriteFile(filepath.Join(w.folder(), path), []byte(marked), 0o666); err != nil {
		w.Fatal(err)
	}
	w.git("commit", "-q", "-m", "Mark", "--", "checkpoints")
	w.operation(func(*model) {}, "", "use", m.current)
	if past := w.line().past; len(past) > 0 {
		past[len(past)-1].files = before // an undo does not bring the second mark back
	}
}

// archiveElsewhere makes and archives a checkpoint in another worktree. In ref mode all worktrees share
// the checkpoints, and an undo here must not undo this.
func (w *walk) archiveElsewhere() {
	if w.mode != "ref" {
		w.Skip("worktrees share no checkpoints")
	}
	here, there := w.dir, w.dir+"-other"
	if _, err := os.Stat(there); err != nil {
		w.git("worktree", "add", "-q", "--detach", there)
	}
	c := newCheckpoint("chk-" + w.name())
	problem, outcome, learned := w.text(), w.text(), w.text()
	w.dir = there
	a := w.ckpt("", "new", strings.TrimPrefix(c.id, "chk-"), "-m", problem, "--parked")
	b := w.ckpt("", "archive", c.id, "--outcome", outcome, "--learning", learned)
	w.dir = here
	if a.exit+b.exit > 0 {
		w.Fatalf("in another worktree: %s%s", a.err, b.err)
	}
	w.ckpt("", "status", "-q") // updates the files here
	c.set(format.Problem, problem)
	c.archived, c.outcome, c.learnings = true, outcome, []string{learned}
	happened := func(m *model) {
		m.all[c.id] = c.clone()
		m.learnings = maps.Clone(m.learnings)
		m.learnings[c.id] = c.learnings
	}
	happened(w.model())
	w.line().undone = nil
	for i := range w.line().past {
		past := &w.line().past[i]
		past.others = append(slices.Clip(past.others), happened)
	}
}

func (w *walk) newBranch() {
	if len(w.branches()) == 3 {
		w.Skip("three branches are enough")
	}
	w.withoutEdits()
	name := fmt.Sprintf("b%d", len(w.lines))
	if _, ok := w.git("switch", "-q", "-c", name); !ok {
		w.Fatal("git switch -c failed")
	}
	w.lines[name] = w.lines[w.branch].copy()
	w.branch = name
}

// withoutEdits skips an action if git would move edits of checkpoints to another branch.
func (w *walk) withoutEdits() {
	if _, ours := w.gitStatus(); len(ours) > 0 {
		w.Skip("edits would go along")
	}
}

func (w *walk) branches() []string { return slices.Sorted(maps.Keys(w.lines)) }

// switchBranch switches to another branch. If git refuses, because a file would be overwritten, nothing
// happens.
func (w *walk) switchBranch() {
	if w.mode != "ref" {
		w.Skip("the files would be those of the branch, but the checkpoints those of all branches: see TestWalksBesideGit")
	}
	others := slices.DeleteFunc(w.branches(), func(name string) bool { return name == w.branch })
	to := w.one(others, "branch to go to")
	w.withoutEdits()
	if _, ok := w.git("switch", "-q", to); !ok {
		return
	}
	w.branch = to
	w.model().unsure = w.mode == "ref" // each branch has its own current checkpoint
	for name := range w.user {
		src, err := os.ReadFile(filepath.Join(w.dir, name))
		if err != nil {
			delete(w.user, name)
			continue
		}
		w.user[name] = string(src)
	}
	out, err := w.gitCommand("ls-files", "-z").Output()
	if err != nil {
		w.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		src, err := os.ReadFile(filepath.Join(w.dir, name))
		if err == nil && !strings.HasPrefix(name, "checkpoints/") && !strings.HasPrefix(name, ".") { // else it was removed
			w.user[name] = string(src)
		}
	}
	w.status, _ = w.gitStatus()
}
