package walk

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/test/ckpttest"
)

// TestWalksBesideGit walks in every commit mode in a repository in which a user also works with git.
// Branches are switched, rebased, merged, reset and pulled, and ckpt runs in the middle of that. Once a
// command has succeeded, its text stays in the store, whatever git does later. As soon as git is idle and
// the command's branch is checked out again, the next command publishes the text there.
//
// The model is coarser than in TestWalks: each text has a unique word, and the model knows the words that
// must be in each checkpoint. Some things are not checked, since they are not promised or depend on the
// user's choice:
//   - the order of entries, and which checkpoint is current, after branches were merged;
//   - texts in the files of a branch that come from operations on another branch;
//   - the branch on which an operation of a detached HEAD is published, if the next branch that is checked
//     out is not the previous one;
//   - whether an operation on one checkpoint saves edits by hand of another one;
//   - a text that was removed (by undo, delete, reopen) or restored (by redo, undo), once git has rewritten
//     commits from before and after: whether they contain it depends on their order;
//   - conflicts in checkpoints that are resolved by hand in favour of one side, which removes the other
//     side's texts on purpose: the walk resolves them by `ckpt resolve`, or aborts;
//   - `git revert` of a commit of ckpt, which undoes the operation on purpose, and checkpoints that a
//     colleague deletes;
//   - whether a command that only reads publishes pending changes.
func TestWalksBesideGit(t *testing.T) {
	number, length := 10, 40
	if *walks > 0 {
		number, length = *walks, 60
	} else {
		set(t, "rapid.seed", 3)
	}
	set(t, "rapid.steps", length)
	set(t, "rapid.nofailfile", true)
	for _, mode := range []struct {
		name  string
		share int // in percent
	}{{"own", 50}, {"ref", 25}, {"off", 25}} {
		t.Run(mode.name, func(t *testing.T) {
			template := newTemplate(t, mode.name)
			divergeTemplate(&gittest.Repo{T: t, Dir: template})
			exe := ckpttest.Executable(t, t.TempDir())
			set(t, "rapid.checks", max(1, number*mode.share/100))
			rapid.Check(t, func(rt *rapid.T) {
				w := begin(t, rt, mode.name, template)
				rt.Cleanup(func() { _ = os.RemoveAll(w.dir + colleagueDir) })
				b := &beside{walk: w, exe: exe, home: w.dir, told: map[string]*told{}, lastOn: map[string]string{},
					gone: map[string]bool{}, away: map[string]bool{}, known: map[string]*known{},
					seen: map[string]*userState{}, newest: map[string]*operation{}, undone: map[string]*operation{}}
				b.newKnown()
				actions := b.actions()
				b.Repeat(map[string]func(*rapid.T){"step": func(*rapid.T) { b.step(actions) }})
				b.finish()
			})
		})
	}
}

// divergeTemplate adds commits, and a branch whose change of code conflicts with that of main.
func divergeTemplate(r *gittest.Repo) {
	r.Commit("Code 1", "util.go", "package code\n")
	r.Git("branch", "side")
	r.Commit("Code 2", "code.go", "package code // main\n")
	r.Commit("Code 3", "util.go", "package code // main\n")
	r.Git("checkout", "-q", "side")
	r.Commit("Code 4", "code.go", "package code // side\n")
	r.Commit("Code 5", "side.go", "package code\n")
	r.Git("checkout", "-q", "main")
}

// beside is a walk beside git. It uses the functions of [walk] that run commands and draw texts, not its model.
type beside struct {
	*walk
	exe    string // the executable of ckpt
	home   string // the main worktree; dir is the one that commands run in
	told   map[string]*told
	lastOn map[string]string     // by checkpoint: the branch that was checked out at its last operation
	gone   map[string]bool       // words that were removed
	known  map[string]*known     // the checkpoints by id
	mixed  bool                  // git may add commits that it has rewritten
	away   map[string]bool       // the ids of checkpoints that were deleted
	left   string                // the branch before HEAD was detached
	seen   map[string]*userState // by worktree, if only ckpt has run there since

	newest map[string]*operation // the newest operation of each worktree, if undo can be checked
	undone map[string]*operation // the newest undo, if redo can be checked
	codes  int                   // how many contents of code files were written

	colleague struct {
		tip   string // the commit that can be pulled
		words map[string]string
		id    string // the checkpoint that the commit adds
	}
}

// told is a word that must be in the store.
type told struct {
	id      string // the checkpoint that has it, or learningsFile
	branch  string // where it must be published; "" if that is not promised
	from    string // on a detached HEAD: the branch that was checked out before
	fragile bool   // it is not checked after git has rewritten commits
	dropped bool   // a reset of the branch may have dropped it, and no command has published it again
}

const learningsFile = "LEARNINGS"

// known is the model of a checkpoint.
type known struct {
	archived bool
	fragile  bool     // it was restored or reopened; see told.fragile
	state    string   // the word of Current State
	outcome  []string // the words that archiving added
}

// operation is an acknowledged operation, with the data to check undo and redo.
type operation struct {
	added   []string
	removed map[string]*told
	id      string
	branch  string // where it was begun
	was, is *known // nil if the checkpoint does not exist
}

// actions returns the actions of a walk, with their relative frequencies.
func (b *beside) actions() []action {
	return []action{
		{6, func() { b.note(b.active()) }},
		{1, b.newKnown},
		{2, b.delta},
		{1, b.state},
		{1, func() { b.archive(b.active()) }},
		{1, func() { b.reopen(b.oneKnown(true)) }},
		{1, b.deleteKnown},
		{2, b.undoNewest},
		{1, b.redoNewest},
		{2, b.editKnown},
		{1, b.saveAll},
		{2, b.elsewhere},
		{1, b.takeBackElsewhere},
		{1, b.kill},

		{2, b.write},
		{3, b.commitCode},
		{1, b.branchOff},
		{3, b.switchTo},
		{2, b.detach},
		{2, b.rebase},
		{1, b.rebaseInteractive},
		{1, b.bisect},
		{4, b.goOn},
		{2, b.giveUp},
		{2, b.reset},
		{1, b.stash},
		{2, b.stashPop},
		{1, b.amend},
		{1, b.revert},
		{1, b.cherryPick},
		{2, b.merge},
		{2, b.colleagueWorks},
		{2, b.pull},
	}
}

type action struct {
	weight int
	do     func()
}

// step takes one action, and then checks the promises. An action that cannot happen now does nothing, since
// rapid would end a walk early if so many actions skipped themselves.
func (b *beside) step(all []action) {
	b.now = b.now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour}).Draw(b.T, "later"))
	defer func() {
		b.dir = b.home
		if reason := recover(); reason == nil {
			b.check()
		} else if reason != notNow {
			panic(reason)
		}
	}()
	var of []func()
	for _, a := range all {
		of = append(of, slices.Repeat([]func(){a.do}, a.weight)...)
	}
	of[b.even(len(of), "action")]()
}

// notNow is the panic of an action that cannot happen now.
const notNow = "not now"

// Skip leaves the action.
func (b *beside) Skip(...any) { panic(notNow) }

// one draws one of some texts.
func (b *beside) one(all []string, of string) string {
	if len(all) == 0 {
		b.Skip()
	}
	return b.walk.one(all, of)
}

// run runs a changing command. Once it has succeeded, the words that it adds are promised, and those that
// it removes no longer are. It may be refused only while the index has conflicts in checkpoints.
func (b *beside) run(op *operation, stdin string, args ...string) bool {
	at := b.position()
	pulled := at.idle && b.pulled()
	a := b.guarded(func() answer { return b.ckpt(stdin, append(args, "--json")...) })
	if a.exit != 0 {
		if !slices.Contains([]int{4, 5, 6}, a.exit) || !b.hasConflicts() {
			b.Fatalf("exit %d: ckpt %s\n%s%s", a.exit, shell(args, stdin), a.out, a.err)
		}
		for _, word := range op.added {
			b.gone[word] = true
		}
		return false
	}
	if pulled {
		b.cameIn()
	}
	b.acknowledge(op, at)
	if at.idle {
		b.checkPublished(at.branch)
	}
	return true
}

// acknowledge updates the model after an operation that succeeded.
func (b *beside) acknowledge(op *operation, at position) {
	op.was, op.branch = b.known[op.id], at.branch
	if op.is == nil {
		op.removed = b.wordsOf(op.id)
	}
	for word := range op.removed {
		delete(b.told, word)
		b.gone[word] = true
	}
	for _, t := range b.wordsOf(op.id) {
		if t.dropped && t.branch != at.branch { // the checkpoint is at home on another branch now
			t.branch = ""
		}
	}
	for _, word := range op.added {
		b.tell(word, op.id, at)
	}
	b.become(op.id, op.is)
	for dir, other := range b.newest {
		if other != nil && other.id == op.id && dir != b.dir {
			b.newest[dir], b.undone[dir] = nil, nil
		}
	}
	b.newest[b.dir], b.undone[b.dir] = op, nil
}

// tell adds a word that a checkpoint or its learnings got at a position. In own mode a detached HEAD publishes it on
// the branch that has the checkpoint.
func (b *beside) tell(word, id string, at position) {
	if on := b.lastOn[id]; at.branch == "" && on != "" && b.mode == "own" {
		at.branch, at.from = on, ""
	}
	if strings.HasSuffix(word, learnedSuffix) {
		id = learningsFile
	}
	b.told[word], b.lastOn[id] = &told{id: id, branch: at.branch, from: at.from}, at.branch
}

// active draws an active checkpoint.
func (b *beside) active() string { return b.oneKnown(false) }

func (b *beside) oneKnown(archived bool) string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(b.known)) {
		if b.known[id].archived == archived {
			ids = append(ids, id)
		}
	}
	return b.one(ids, "checkpoint")
}

func (b *beside) newKnown() {
	if len(b.known) == 4 {
		b.Skip()
	}
	name, word := b.name(), b.word()
	b.run(&operation{id: "chk-" + name, added: []string{word}, is: &known{}}, "", "new", name, "-m", "Problem "+word)
}

func (b *beside) note(id string) bool {
	kind := rapid.SampledFrom([]string{"step", "context", "decision", "rule"}).Draw(b.T, "kind")
	word := b.word()
	return b.run(&operation{id: id, added: []string{word}, is: b.known[id]}, "", "note", kind, "Text "+word, "-c", id)
}

func (b *beside) delta() {
	id, word, next := b.active(), b.word(), b.word()
	b.run(&operation{id: id, added: []string{word, next}, is: b.known[id]}, "", "delta", id, "-m", "Delta "+word, "--add-next", "Do "+next)
}

// state replaces Current State.
func (b *beside) state() {
	id, word := b.active(), b.word()
	is := *b.known[id]
	op := &operation{id: id, added: []string{word}, removed: b.these(is.state), is: &is}
	is.state = word
	b.run(op, "", "note", "state", "State "+word, "-c", id)
}

// these returns the promises about the given words.
func (b *beside) these(words ...string) map[string]*told {
	all := map[string]*told{}
	for _, word := range words {
		if t := b.told[word]; t != nil {
			all[word] = t
		}
	}
	return all
}

// learnedSuffix marks the words of learnings, which are also in LEARNINGS.md.
const learnedSuffix = "learned"

func (b *beside) archive(id string) {
	outcome, learned := b.word(), b.word()+learnedSuffix
	is := *b.known[id]
	is.archived, is.outcome = true, []string{outcome, learned}
	b.run(&operation{id: id, added: is.outcome, is: &is}, "", "archive", id, "--outcome", "Done "+outcome, "--learning", "Know "+learned)
}

func (b *beside) reopen(id string) {
	is := *b.known[id]
	op := &operation{id: id, removed: b.these(is.outcome...), is: &is}
	is.archived, is.fragile, is.outcome = false, true, nil
	b.run(op, "", "reopen", id)
}

func (b *beside) deleteKnown() {
	id := b.oneKnown(b.chance(2, "archived"))
	b.run(&operation{id: id}, "", "delete", id, "--force")
}

// wordsOf returns the promises about a checkpoint.
func (b *beside) wordsOf(id string) map[string]*told {
	all := map[string]*told{}
	for word, t := range b.told {
		if t.id == id {
			all[word] = t
		}
	}
	return all
}

// undoNewest undoes the newest operation of this worktree. The undo may be refused.
func (b *beside) undoNewest() {
	op := b.newest[b.dir]
	if op == nil {
		b.Skip()
	}
	at := b.position()
	a := b.guarded(func() answer { return b.ckpt("", "undo") })
	if a.exit == 6 || a.exit == 7 && b.mode == "off" {
		return
	}
	if a.exit != 0 {
		b.Fatalf("undo: exit %d\n%s", a.exit, a.err)
	}
	for _, word := range op.added {
		delete(b.told, word)
		b.gone[word] = true
	}
	for word, t := range op.removed {
		t.fragile = true
		if t.branch != at.branch { // the undo began on another branch
			t.branch = ""
		}
		b.told[word] = t
		delete(b.gone, word)
	}
	b.become(op.id, op.was.again())
	b.newest[b.dir], b.undone[b.dir] = nil, op
	if at.idle {
		b.checkPublished(at.branch)
	}
}

// redoNewest runs redo if the newest operation of this worktree was an undo.
func (b *beside) redoNewest() {
	op := b.undone[b.dir]
	if op == nil {
		b.Skip()
	}
	at := b.position()
	a := b.guarded(func() answer { return b.ckpt("", "redo") })
	if a.exit == 6 || a.exit == 7 && b.mode == "off" {
		return
	}
	if a.exit != 0 {
		b.Fatalf("redo: exit %d\n%s", a.exit, a.err)
	}
	again := *op
	again.is = op.is.again()
	b.acknowledge(&again, at)
	for _, word := range op.added {
		b.told[word].fragile = true
		if op.branch != at.branch { // it is published there again
			b.told[word].branch = ""
		}
		delete(b.gone, word)
	}
	b.newest[b.dir] = nil
	if at.idle {
		b.checkPublished(at.branch)
	}
}

// again returns a restored checkpoint.
func (k *known) again() *known {
	if k == nil {
		return nil
	}
	is := *k
	is.fragile = true
	return &is
}

// become sets the model of a checkpoint; nil if it does not exist.
func (b *beside) become(id string, is *known) {
	on := cmp.Or(b.position().branch, b.lastOn[id])
	b.lastOn[id] = on
	if is == nil { // its learnings stay
		delete(b.known, id)
		b.away[id] = true
		return
	}
	if was := b.known[id]; was != nil && was.archived && !is.archived { // its learnings go
		b.lastOn[learningsFile] = on
	}
	b.known[id] = is
	delete(b.away, id)
}

// editKnown edits the file of a checkpoint, and runs a command that takes the edit in.
func (b *beside) editKnown() {
	id, word := b.active(), b.word()
	path := b.onDisk(id)
	src, err := os.ReadFile(path)
	if err != nil || b.hasConflicts() || !strings.Contains(string(src), "\n### Technical Context\n") {
		b.Skip()
	}
	b.log = append(b.log, "edit "+id+": "+word)
	b.must(os.WriteFile(path, []byte(below("### Technical Context", "- By hand "+word)(string(src))), 0o666))
	delete(b.seen, b.dir)
	at := b.position()
	if b.chance(2, "save") {
		b.saveAll()
	} else if !b.note(id) {
		return
	}
	b.tell(word, id, at)
	b.newest[b.dir], b.undone[b.dir] = nil, nil
}

// onDisk returns the path of the file of an active checkpoint.
func (b *beside) onDisk(id string) string {
	if path := filepath.Join(b.dir, ".ckpt", "active", id+".md"); b.mode == "ref" {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return filepath.Join(b.dir, "checkpoints", "active", id+".md")
}

func (b *beside) saveAll() {
	at := b.position()
	pulled := at.idle && b.pulled()
	if a := b.guarded(func() answer { return b.ckpt("", "save") }); a.exit != 0 {
		// After a reset, a file of the colleague that is not a whole checkpoint may be alone on disk.
		if !b.hasConflicts() && a.exit != 4 {
			b.Fatalf("save: exit %d\n%s", a.exit, a.err)
		}
		return
	}
	if pulled {
		b.cameIn()
	}
	if at.idle {
		b.checkPublished(at.branch)
	}
}

const otherDir = "-other"

// elsewhere notes something in a linked worktree, which has a branch of its own.
func (b *beside) elsewhere() {
	b.goElsewhere()
	rapid.SampledFrom([]func(){func() { b.note(b.active()) }, b.delta, b.newKnown, b.undoNewest}).Draw(b.T, "what happens there")()
}

// goElsewhere lets the next commands run in the linked worktree.
func (b *beside) goElsewhere() {
	there := b.home + otherDir
	if _, err := os.Stat(there); err != nil {
		if _, ok := b.git("worktree", "add", "-q", "-b", "linked", there, "main"); !ok {
			b.Skip()
		}
	}
	b.dir = there
	clear(b.seen) // the worktrees have the same refs
}

// takeBackElsewhere archives a checkpoint, and reopens and changes it in the linked worktree. Undo then goes on with
// an older operation.
func (b *beside) takeBackElsewhere() {
	id := b.active()
	b.archive(id)
	b.goElsewhere()
	if b.known[id] == nil || !b.known[id].archived { // it was refused, or the checkpoint is unknown there
		b.Skip()
	}
	outcome := b.known[id].outcome
	b.reopen(id)
	b.note(id)
	b.dir = b.home
	a := b.guarded(func() answer { return b.ckpt("", "undo", "--dry-run") })
	if b.gone[outcome[0]] && strings.Contains(a.err, outcome[0]) && a.exit != 0 {
		b.Fatalf("undo refuses to undo what is taken back already\n%s", a.err)
	}
}
