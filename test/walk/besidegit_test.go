package walk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/test/ckpttest"
)

// This file has the git commands of the user in a walk beside git. If git refuses a command, nothing
// happens.

var anyWord = regexp.MustCompile(besideWord)

const colleagueDir = "-colleague"

// git runs git. It forgets the known state of the user's files.
func (b *beside) git(args ...string) (string, bool) {
	clear(b.seen)
	if b.mixed {
		b.forget()
	}
	return b.walk.git(args...)
}

// onBranch returns the branch of HEAD. It skips the action unless git is idle on a branch.
func (b *beside) onBranch() string {
	at := b.position()
	if !at.idle {
		b.Skip()
	}
	return at.branch
}

// rewrote is called before git rewrites commits of the user. From now on they may get into HEAD and into the
// store at any time. Removed and restored texts are then checked only until the next call of git.
func (b *beside) rewrote() {
	b.mixed = true
	b.forget()
	clear(b.newest)
	clear(b.undone)
}

// forget removes promises that depend on the order of commits.
func (b *beside) forget() {
	clear(b.gone)
	clear(b.away)
	for word, t := range b.told {
		if t.fragile {
			delete(b.told, word)
		}
	}
	for id, k := range b.known {
		if k.fragile {
			delete(b.known, id)
		}
	}
}

// write writes a file of code, tracked or not, and may stage it.
func (b *beside) write() {
	name := rapid.SampledFrom([]string{"code.go", "util.go", "new.txt", "dir/more.go"}).Draw(b.T, "file")
	b.writeFile(b.dir, name)
	if b.chance(2, "stage it") {
		b.git("add", name)
	}
}

func (b *beside) writeFile(dir, name string) {
	b.codes++
	b.log = append(b.log, "write "+name)
	file := filepath.Join(dir, name)
	b.must(os.MkdirAll(filepath.Dir(file), 0o777))
	b.must(os.WriteFile(file, fmt.Appendf(nil, "package code // %d\n", b.codes), 0o666))
	clear(b.seen)
}

// commitCode commits all files but checkpoints. In off mode it commits these in a separate commit.
func (b *beside) commitCode() {
	if at := b.position(); at.busy == "merge" || b.hasConflicts() {
		b.Skip()
	}
	if b.chance(2, "a change") {
		b.writeFile(b.dir, "util.go")
	}
	if b.mode == "off" {
		b.mixed = true
		b.git("add", "-A", "checkpoints")
		b.git("commit", "-q", "-m", "Checkpoints", "--", "checkpoints")
	}
	b.git("add", "-A", "--", ".", ":!checkpoints", ":!.ckpt")
	b.git("commit", "-q", "-m", fmt.Sprint("Code of ", b.codes), "--", ".", ":!checkpoints", ":!.ckpt")
}

// tidy commits changes that would prevent a rebase.
func (b *beside) tidy() {
	if out, _ := b.gitCommand("status", "--porcelain", "-uno").Output(); len(out) > 0 {
		b.commitCode()
	}
}

func (b *beside) allBranches() []string {
	out, err := b.gitCommand("for-each-ref", "--format=%(refname:short)", "refs/heads").Output()
	b.must(err)
	return strings.Fields(string(out))
}

// another draws a branch other than the one that is checked out.
func (b *beside) another() string {
	branch := b.position().branch
	return b.one(slices.DeleteFunc(b.allBranches(), func(name string) bool { return name == branch }), "other branch")
}

func (b *beside) branchOff() {
	b.onBranch()
	if len(b.allBranches()) > 3 {
		b.Skip()
	}
	b.git("switch", "-q", "-c", fmt.Sprint("topic", len(b.allBranches())))
}

// switchTo checks a branch out: another one, or, from a detached HEAD, the one before.
func (b *beside) switchTo() {
	at := b.position()
	if at.busy != "" {
		b.Skip()
	}
	to := at.from
	if to == "" || b.chance(4, "another one") {
		to = b.another()
	}
	b.git(rapid.SampledFrom([]string{"switch", "checkout"}).Draw(b.T, "how"), "-q", to)
}

// detach detaches HEAD, at the same commit or an older one.
func (b *beside) detach() {
	at := b.position()
	if at.busy != "" {
		b.Skip()
	}
	commit := rapid.SampledFrom([]string{"HEAD", "HEAD~1", "HEAD~2", "HEAD~4"}).Draw(b.T, "commit")
	if _, ok := b.git("checkout", "-q", "--detach", commit); ok && at.branch != "" {
		b.left = at.branch
	}
}

func (b *beside) rebase() {
	b.onBranch()
	b.tidy()
	b.rewrote()
	b.git("rebase", "-q", b.another())
}

// rebaseInteractive stops at a commit, to edit it.
func (b *beside) rebaseInteractive() {
	b.onBranch()
	b.tidy()
	b.rewrote()
	b.git("-c", "sequence.editor=sed -i.bak 1s/pick/edit/", "rebase", "-q", "-i", fmt.Sprint("HEAD~", 1+b.number(3, "commits")))
}

// bisect begins or continues a bisect.
func (b *beside) bisect() {
	at := b.position()
	switch {
	case at.busy == "bisect":
		b.git("bisect", rapid.SampledFrom([]string{"good", "bad", "skip"}).Draw(b.T, "verdict"))
	case at.idle:
		b.git("bisect", "start", "HEAD", fmt.Sprint("HEAD~", 2+b.number(4, "commits")))
	default:
		b.Skip()
	}
}

// goOn resolves the conflicts and continues git's operation in progress.
func (b *beside) goOn() {
	at := b.position()
	b.settle()
	if b.hasConflicts() || at.busy == "" || at.busy == "bisect" {
		return
	}
	b.rewrote()
	if _, ok := b.git("-c", "core.editor=true", at.busy, "--continue"); !ok && at.busy != "merge" && !b.hasConflicts() {
		b.git(at.busy, "--skip") // nothing was left of the commit
	}
}

// settle resolves conflicts: in code with new content, in checkpoints by ckpt resolve.
func (b *beside) settle() {
	conflicts := b.conflicts()
	if len(conflicts) == 0 && b.position().busy == "" {
		b.Skip()
	}
	if slices.ContainsFunc(conflicts, isCheckpoint) {
		b.rewrote()
		b.guarded(func() answer { return b.ckpt("", "resolve") })
		clear(b.seen)
	}
	for _, name := range conflicts {
		if !isCheckpoint(name) {
			b.writeFile(b.dir, name)
			b.git("add", name)
		}
	}
}

func isCheckpoint(path string) bool { return strings.HasPrefix(path, "checkpoints/") }

// giveUp aborts git's operation in progress.
func (b *beside) giveUp() {
	at := b.position()
	if at.busy == "" {
		b.Skip()
	}
	b.end(at.busy)
}

func (b *beside) end(busy string) {
	if busy == "bisect" {
		b.git("bisect", "reset")
		return
	}
	if _, ok := b.git(busy, "--abort"); !ok {
		b.git("reset", "-q", "--hard")
		b.git(busy, "--abort")
	}
}

// reset resets HEAD to an older commit. The next command on the branch gives it again what began there, unless the
// newest operation on the checkpoint by then began on another branch.
func (b *beside) reset() {
	at := b.position()
	how := rapid.SampledFrom([]string{"--hard", "--soft", "--mixed"}).Draw(b.T, "how")
	if at.busy != "" || b.hasConflicts() {
		b.git("reset", "-q", "--hard")
		return
	}
	b.git("reset", "-q", how, rapid.SampledFrom([]string{"HEAD~1", "HEAD", "HEAD~2"}).Draw(b.T, "to"))
	for _, t := range b.told {
		t.dropped = t.dropped || t.branch == at.branch
		if t.branch == at.branch && b.lastOn[t.id] != at.branch {
			t.branch = ""
		}
	}
}

func (b *beside) stash() {
	if b.hasConflicts() {
		b.Skip()
	}
	b.writeFile(b.dir, "code.go")
	args := []string{"stash", "push", "-q"}
	if b.chance(2, "only that file") {
		args = append(args, "--", "code.go")
	}
	b.git(args...)
}

// stashPop pops the stash. On a conflict the stash stays.
func (b *beside) stashPop() {
	if out, _ := b.gitCommand("rev-parse", "-q", "--verify", "refs/stash").Output(); len(out) == 0 {
		b.Skip()
	}
	b.rewrote() // the stash may have an older version of a checkpoint
	b.git("stash", "pop", "-q")
}

func (b *beside) amend() {
	at := b.position()
	if b.hasConflicts() || at.busy != "" && at.busy != "rebase" {
		b.Skip()
	}
	b.rewrote()
	if b.chance(2, "with a change") {
		b.writeFile(b.dir, "util.go")
		b.git("add", "util.go")
	}
	b.git("commit", "-q", "--amend", "-m", "Amended")
}

// newestCode returns the newest commit of a branch that has code only.
func (b *beside) newestCode(branch string) string {
	out, err := b.gitCommand("log", "-1", "--format=%H", "--no-merges", "--grep=^Code", branch).Output()
	b.must(err)
	commit := strings.TrimSpace(string(out))
	if commit == "" {
		b.Skip()
	}
	files, err := b.gitCommand("show", "--format=", "--name-only", commit).Output()
	b.must(err)
	if strings.Contains(string(files), "checkpoints/") {
		b.Skip()
	}
	return commit
}

func (b *beside) revert() {
	b.onBranch()
	b.git("revert", "--no-edit", b.newestCode("HEAD"))
}

func (b *beside) cherryPick() {
	b.onBranch()
	b.git("cherry-pick", b.newestCode(b.another()))
}

func (b *beside) merge() {
	b.onBranch()
	other := b.another()
	b.rewrote()
	if b.chance(2, "squash") {
		b.git("merge", "-q", "--squash", other)
		if !b.hasConflicts() {
			b.git("commit", "-q", "-m", "Squashed")
		}
		return
	}
	b.git("merge", "-q", "--no-ff", "-m", "Merged", other)
}

// colleagueWorks commits in a clone without ckpt: code, and a bullet by hand or a checkpoint.
func (b *beside) colleagueWorks() {
	branch := b.onBranch()
	there := b.home + colleagueDir
	if _, err := os.Stat(there); err != nil {
		b.git("clone", "-q", b.home, there)
	}
	b.dir = there
	b.git("fetch", "-q", "origin", branch)
	b.git("checkout", "-q", "-f", "-B", "theirs", "FETCH_HEAD")
	b.git("clean", "-q", "-f", "-d")
	b.colleague.words, b.colleague.id = map[string]string{}, ""
	if b.chance(2, "code") || b.mode == "ref" {
		b.writeFile(there, "theirs.go")
	}
	files, _ := filepath.Glob(filepath.Join(there, "checkpoints", "active", "*.md"))
	switch {
	case b.mode == "ref": // no branch has checkpoints
	case b.chance(3, "a new checkpoint"):
		b.colleague.id = "chk-" + b.name()
		word := b.word()
		b.colleague.words[word] = b.colleague.id
		b.must(os.MkdirAll(filepath.Join(there, "checkpoints", "active"), 0o777))
		b.must(os.WriteFile(filepath.Join(there, "checkpoints", "active", b.colleague.id+".md"),
			[]byte("---\ncheckpoint: "+b.colleague.id+"\ncreated: 2026-01-01T10:00:00Z\n---\n\n## Problem\n\nTheirs "+word+"\n"), 0o666))
	case len(files) > 0:
		file, word := b.one(files, "file"), b.word()
		src, err := os.ReadFile(file)
		b.must(err)
		if edited := below("### Technical Context", "- Of a colleague "+word)(string(src)); strings.Contains(edited, "\n- Of a") {
			b.colleague.words[word] = strings.TrimSuffix(filepath.Base(file), ".md")
			b.must(os.WriteFile(file, []byte(edited), 0o666))
		}
	}
	b.git("add", "-A")
	b.git("commit", "-q", "-m", "Of a colleague")
	tip, err := b.gitCommand("rev-parse", "HEAD").Output()
	b.must(err)
	b.colleague.tip = strings.TrimSpace(string(tip))
}

func (b *beside) pull() {
	b.onBranch()
	if b.colleague.tip == "" {
		b.Skip()
	}
	b.tidy()
	b.rewrote()
	b.git("pull", "-q", rapid.SampledFrom([]string{"--no-rebase", "--rebase", "--ff-only"}).Draw(b.T, "how"), "--no-edit", b.home+colleagueDir, "theirs")
}

// pulled reports whether HEAD has the colleague's commit, of which the model does not know yet.
func (b *beside) pulled() bool {
	return b.dir == b.home && b.colleague.tip != "" && len(b.colleague.words) > 0 &&
		b.gitCommand("merge-base", "--is-ancestor", b.colleague.tip, "HEAD").Run() == nil
}

// cameIn updates the model after ckpt has read the colleague's commit. A checkpoint that was deleted here
// then exists, but the walk does not use it.
func (b *beside) cameIn() {
	if id := b.colleague.id; id != "" {
		b.known[id], b.lastOn[id] = &known{}, b.position().branch
	}
	for word, id := range b.colleague.words {
		delete(b.away, id)
		if b.known[id] != nil {
			b.told[word] = &told{id: id}
		}
	}
	b.colleague.words, b.colleague.tip = nil, ""
}

// kill runs ckpt as a process, and kills it before one of its system calls that change files. After the
// next command the operation is either done or not begun.
func (b *beside) kill() {
	id := b.active()
	call := rapid.SampledFrom([]string{"renameat", "linkat", "unlinkat", "mkdirat", "write", "fsync"}).Draw(b.T, "system call")
	n := 1 + b.number(10, "which one")
	if _, err := exec.LookPath("strace"); err != nil {
		b.Skip()
	}
	word, at := b.word(), b.position()
	args := []string{"note", "step", "Killed " + word, "-c", id}
	b.guarded(func() answer {
		now := b.now.Format("2006-01-02T15:04:05Z07:00")
		cmd := envtest.Command("strace", append([]string{"-f", "-qq", "-b", "execve", "-o", os.DevNull, "-e", "trace=" + call,
			"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n), b.exe}, args...)...)
		cmd.Dir = b.dir
		cmd.Env = envtest.Env("CKPT_TEST_TIME="+now, "GIT_AUTHOR_DATE="+now, "GIT_COMMITTER_DATE="+now, "GOMAXPROCS=2", ckpttest.NoSleep)
		out, err := cmd.CombinedOutput()
		b.log = append(b.log, fmt.Sprintf("ckpt %s, killed at %s %d => %v %s", shell(args, ""), call, n, err, out))
		return answer{}
	})
	b.newest[b.dir], b.undone[b.dir] = nil, nil
	b.reading("status")
	if b.wordsIn(store)[word][id] {
		b.tell(word, id, at)
	} else {
		b.gone[word] = true
	}
	b.saveAll()
}
