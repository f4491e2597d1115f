package walk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// This file has the checks of a walk beside git.

const store = "refs/ckpt/checkpoints"

// besideWord matches a word that [beside] draws.
const besideWord = `zq[0-9]{3,}(learned)?`

// check checks after each step that every promised word is in the store, and that ckpt reads it.
func (b *beside) check() {
	out, err := b.gitCommand("status", "--porcelain=v2").CombinedOutput()
	if err != nil {
		b.Fatalf("git status: %v after %s\n%s", err, b.last(), out)
	}
	stored := b.wordsIn(store)
	listed := b.list()
	for id := range b.away {
		if slices.Contains(listed, id) {
			b.Fatalf("%s was deleted, and is listed after %s", id, b.last())
		}
	}
	read := map[string]map[string]bool{learningsFile: found(b.reading("learnings"))}
	for _, word := range slices.Sorted(maps.Keys(b.told)) {
		id := b.told[word].id
		if !stored[word][id] {
			b.Fatalf("%s of %s is not in %s after %s", word, id, store, b.last())
		}
		if id != learningsFile && !slices.Contains(listed, id) {
			b.Fatalf("%s is not listed after %s", id, b.last())
		}
		if read[id] == nil {
			read[id] = found(b.reading("show", "--raw", id))
		}
		if !read[id][word] {
			b.Fatalf("%s of %s is not read after %s", word, id, b.last())
		}
	}
	for word := range b.gone {
		for id, words := range read {
			if words[word] {
				b.Fatalf("%s was taken back, and is read in %s after %s", word, id, b.last())
			}
		}
		if len(stored[word]) > 0 {
			b.Fatalf("%s was taken back, and is in %s after %s", word, store, b.last())
		}
	}
}

// reading runs a command that reads, and returns its answer. It may publish what began on a detached HEAD.
func (b *beside) reading(args ...string) string {
	a, on := b.ckpt("", args...), b.position().branch
	for _, t := range b.told {
		if on != "" && on != t.from {
			t.from = ""
		}
	}
	if a.exit != 0 {
		b.Fatalf("ckpt %s: exit %d after %s\n%s", shell(args, ""), a.exit, b.last(), a.err)
	}
	return a.out
}

// list returns the ids that `ckpt list` has.
func (b *beside) list() []string {
	var list struct {
		Checkpoints []struct {
			ID string `json:"id"`
		} `json:"checkpoints"`
	}
	out := b.reading("list", "--all", "--json")
	b.must(json.Unmarshal([]byte(out), &list))
	var ids []string
	for _, c := range list.Checkpoints {
		ids = append(ids, c.ID)
	}
	return ids
}

// found returns the words in a text.
func found(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range anyWord.FindAllString(text, -1) {
		all[word] = true
	}
	return all
}

// wordsIn returns the words in the checkpoints of a commit, each with the ids of those that have it.
func (b *beside) wordsIn(commit string) map[string]map[string]bool {
	out, err := b.gitCommand("grep", "-o", "-E", besideWord, commit, "--", "checkpoints").Output()
	if failed, _ := errors.AsType[*exec.ExitError](err); err != nil && (failed == nil || failed.ExitCode() > 1 && len(b.told) > 0) {
		b.Fatalf("git grep %s: %v", commit, err)
	}
	all := map[string]map[string]bool{}
	for line := range strings.Lines(string(out)) { // COMMIT:PATH:WORD
		file, word, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), commit+":"), ":")
		note(all, word, file)
	}
	return all
}

func note(all map[string]map[string]bool, word, file string) {
	if all[word] == nil {
		all[word] = map[string]bool{}
	}
	all[word][strings.TrimSuffix(path.Base(file), ".md")] = true
}

// wordsOnDisk returns the words in the files of the checkpoints folder. A branch on which nothing began has none.
func (b *beside) wordsOnDisk() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	err := filepath.WalkDir(b.folder(), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(file)
		for word := range found(string(src)) {
			note(all, word, filepath.ToSlash(file))
		}
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		b.must(err)
	}
	return all
}

// checkPublished checks that a branch or its files have the texts of the operations that began on it. Git
// must be idle on the branch, after a changing command.
func (b *beside) checkPublished(branch string) {
	out, err := b.gitCommand("status", "--porcelain", "-uall", "--no-renames", "--", "checkpoints", ".ckpt").CombinedOutput()
	if err != nil {
		b.Fatalf("git status of checkpoints: %v after %s\n%s", err, b.last(), out)
	}
	for line := range strings.Lines(string(out)) { // XY PATH
		id := strings.TrimSuffix(path.Base(strings.TrimSpace(line[3:])), ".md")
		if b.mode == "ref" || b.mode == "own" && b.beganOn(id, branch) {
			b.Fatalf("git status of checkpoints, after %s\n%s", b.last(), out)
		}
	}
	var have map[string]map[string]bool
	switch b.mode {
	case "own":
		have = b.wordsIn("HEAD")
	case "off":
		have = b.wordsOnDisk()
	default:
		return
	}
	for _, word := range slices.Sorted(maps.Keys(b.told)) {
		t := b.told[word]
		if t.from != "" {
			if t.from == branch {
				t.branch = branch
			}
			t.from = ""
		}
		// In mode off the user may lose files that are not committed: only the last branch gets them again.
		t.dropped = t.dropped && t.branch != branch
		if t.branch == branch && !have[word][t.id] && (b.mode == "own" || b.lastOn[t.id] == branch) {
			b.Fatalf("%s of %s is not on %s after %s", word, t.id, branch, b.last())
		}
	}
}

// beganOn reports whether a branch must have a text of a checkpoint. The user may have files of other
// checkpoints in the index or untracked: from a squash with conflicts, or from another branch.
func (b *beside) beganOn(id, branch string) bool {
	for _, t := range b.told {
		if t.id == id && t.branch == branch {
			return true
		}
	}
	return false
}

// position is where HEAD is, and whether git is in the middle of something.
type position struct {
	branch string // the branch of HEAD or of git's operation in progress; "" if HEAD is detached
	from   string // the branch before HEAD was detached
	busy   string // git's operation in progress
	idle   bool   // no operation is in progress, HEAD is on a branch, and the index has neither a conflict nor a squash
}

// position reads git's files.
func (b *beside) position() position {
	dir := b.gitDir()
	read := func(name string) string {
		src, _ := os.ReadFile(filepath.Join(dir, name))
		return strings.TrimPrefix(strings.TrimSpace(string(src)), "refs/heads/")
	}
	var p position
	var onBranch bool
	p.branch, onBranch = strings.CutPrefix(strings.TrimSpace(read("HEAD")), "ref: refs/heads/")
	if !onBranch {
		p.branch, p.from = "", b.left
	}
	for _, s := range []struct{ busy, file, branch string }{
		{"merge", "MERGE_HEAD", ""}, {"cherry-pick", "CHERRY_PICK_HEAD", ""}, {"revert", "REVERT_HEAD", ""},
		{"bisect", "BISECT_START", "BISECT_START"},
		{"rebase", "rebase-merge/head-name", "rebase-merge/head-name"}, {"rebase", "rebase-apply/head-name", "rebase-apply/head-name"},
	} {
		if _, err := os.Stat(filepath.Join(dir, s.file)); err == nil {
			p.busy = s.busy
			if s.branch != "" {
				p.branch, p.from = read(s.branch), ""
			}
		}
	}
	_, squashed := os.Stat(filepath.Join(dir, "SQUASH_MSG")) // a squash is staged and not committed
	p.idle = p.busy == "" && p.branch != "" && !b.hasConflicts() && squashed != nil
	return p
}

func (b *beside) gitDir() string {
	if b.dir == b.home {
		return filepath.Join(b.home, ".git")
	}
	return filepath.Join(b.home, ".git", "worktrees", filepath.Base(b.dir))
}

// hasConflicts reports whether the index has a conflict.
func (b *beside) hasConflicts() bool { return len(b.conflicts()) > 0 }

// conflicts returns the paths that are in conflict.
func (b *beside) conflicts() []string {
	out, err := b.gitCommand("diff", "--name-only", "--diff-filter=U", "-z").Output()
	b.must(err)
	paths := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool { return path == "" })
}

// userState is the state that ckpt must not change.
type userState struct {
	head  string
	busy  string
	refs  map[string]string
	index string            // without checkpoints
	files map[string]string // without checkpoints
}

func (b *beside) userState() *userState {
	s := &userState{refs: map[string]string{}, files: map[string]string{}, busy: b.position().busy}
	head, err := os.ReadFile(filepath.Join(b.gitDir(), "HEAD"))
	b.must(err)
	s.head = string(head)
	refs, err := b.gitCommand("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/stash", "refs/tags", "refs/bisect").Output()
	b.must(err)
	for line := range strings.Lines(string(refs)) {
		name, hash, _ := strings.Cut(strings.TrimSpace(line), " ")
		s.refs[name] = hash
	}
	index, err := b.gitCommand("ls-files", "--stage", "--", ".", ":!checkpoints").Output()
	b.must(err)
	s.index = string(index)
	b.must(filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && slices.Contains([]string{".git", ".ckpt", "checkpoints"}, d.Name()):
			return fs.SkipDir
		case err != nil || d.IsDir():
			return err
		}
		src, err := os.ReadFile(path)
		s.files[path] = string(src)
		return err
	}))
	return s
}

// guarded runs a command of ckpt, and checks that it does not change the user's files, index and branches.
// In own mode a branch may get commits that only change checkpoints, unless git is rewriting the branch or
// another worktree has it checked out.
func (b *beside) guarded(command func() answer) answer {
	before := b.seen[b.dir]
	if before == nil {
		before = b.userState()
	}
	at, elsewhere := b.position(), b.heldElsewhere()
	a := command()
	after := b.userState()
	b.seen[b.dir] = after
	var problems []string
	if before.head != after.head {
		problems = append(problems, "HEAD was "+before.head+" and is "+after.head)
	}
	if before.busy != after.busy {
		problems = append(problems, fmt.Sprintf("in progress was %q and is %q", before.busy, after.busy))
	}
	if before.index != after.index {
		problems = append(problems, "the index was\n"+before.index+"and is\n"+after.index)
	}
	if problem := compareFiles(before.files, after.files); problem != "" {
		problems = append(problems, problem)
	}
	for name := range after.refs {
		if before.refs[name] == "" {
			problems = append(problems, name+" is new")
		}
	}
	for name, was := range before.refs {
		is := after.refs[name]
		if is == was {
			continue
		}
		branch := strings.TrimPrefix(name, "refs/heads/")
		held := at.busy != "" && branch == at.branch || branch == elsewhere
		if b.mode != "own" || held || !b.isPublishing(was, is) {
			shown, _ := b.gitCommand("log", "--stat", "--oneline", was+".."+is).CombinedOutput()
			problems = append(problems, fmt.Sprintf("%s was %s and is %q; at %+v, elsewhere %q\n%s", name, was, is, at, elsewhere, shown))
		}
	}
	if len(problems) > 0 {
		b.Fatalf("after %s:\n%s", b.last(), strings.Join(problems, "\n"))
	}
	return a
}

// heldElsewhere returns the branch that the other worktree has checked out, or is rewriting.
func (b *beside) heldElsewhere() string {
	here := b.dir
	defer func() { b.dir = here }()
	b.dir = b.home
	if here == b.home {
		b.dir = b.home + otherDir
	}
	if _, err := os.Stat(b.dir); err != nil {
		return ""
	}
	return b.position().branch
}

// isPublishing reports whether a branch has only got commits that touch checkpoints.
func (b *beside) isPublishing(was, is string) bool {
	if is == "" || b.gitCommand("merge-base", "--is-ancestor", was, is).Run() != nil {
		return false
	}
	out, err := b.gitCommand("diff", "--name-only", was, is, "--", ".", ":!checkpoints").Output()
	return err == nil && len(out) == 0
}

// must fails the walk on an error.
func (b *beside) must(err error) {
	if err != nil {
		b.Fatalf("%v after %s", err, b.last())
	}
}

// finish makes git idle, and checks each branch once more.
func (b *beside) finish() {
	for range 3 {
		if at := b.position(); at.busy != "" {
			b.end(at.busy)
		}
	}
	b.git("reset", "-q", "--hard")
	out, err := b.gitCommand("for-each-ref", "--format=%(refname:short)", "refs/heads").Output()
	b.must(err)
	for branch := range strings.Lines(string(out)) {
		if branch = strings.TrimSpace(branch); branch == "linked" {
			continue
		}
		if _, ok := b.git("checkout", "-q", "-f", branch); !ok {
			b.Fatalf("%s cannot be checked out", branch)
		}
		b.saveAll()
		b.check()
	}
	for _, dir := range []string{b.home, b.home + otherDir} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		b.dir = dir
		if locks, _ := filepath.Glob(filepath.Join(b.gitDir(), "*.lock")); len(locks) > 0 {
			b.Fatalf("left %s", locks)
		}
		if said, err := b.gitCommand("fsck", "--strict", "--no-dangling", "--no-progress").CombinedOutput(); err != nil || len(said) > 0 {
			b.Fatalf("git fsck: %v\n%s", err, said)
		}
	}
}
