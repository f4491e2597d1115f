package walk

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWalksOfClones walks in three clones of one repository, whose clocks differ. They sync, and in the modes with
// files in the branch they pull and push, too. Only a command that promises to remove texts does so, and no merge
// brings back a text that an undo has removed. In the end all clones have the same files on the ref.
func TestWalksOfClones(t *testing.T) {
	number, length := 6, 30
	if *walks > 0 {
		number, length = *walks, 60
	} else {
		set(t, "rapid.seed", 1)
	}
	set(t, "rapid.steps", length)
	set(t, "rapid.nofailfile", true)
	set(t, "rapid.checks", max(1, number/3))
	for _, modes := range [][]string{{"own", "own", "own"}, {"ref", "ref", "ref"}, {"own", "off", "own"}} {
		t.Run(strings.Join(slices.Compact(slices.Clone(modes)), "+"), func(t *testing.T) {
			template := newTemplate(t, modes[0])
			rapid.Check(t, func(rt *rapid.T) {
				c := &clones{walk: begin(t, rt, modes[0], template), removed: map[string]bool{}, undone: map[string]string{},
					of: map[string]string{}, newest: map[string][]string{}, deleted: map[string]bool{}}
				rt.Cleanup(func() { _ = os.RemoveAll(c.dir + "-clones") })
				c.make(modes)
				c.Repeat(map[string]func(*rapid.T){"step": func(*rapid.T) { c.step() }})
				c.finish()
			})
		})
	}
}

// clones is a walk in several clones. It uses the functions of [walk] that run commands and draw texts, not its model.
type clones struct {
	*walk
	all     []string            // the folders of the clones
	told    []string            // the words of all operations
	removed map[string]bool     // words that a command has removed on purpose
	of      map[string]string   // by word that no merge may bring back once it is removed, the checkpoint
	undone  map[string]string   // by word that an undo or an edit has removed, the checkpoint
	deleted map[string]bool     // the ids that were deleted in a clone
	newest  map[string][]string // by clone: the words of its newest operation, if undo removes just these
}

// make makes the clones and the repository that they share.
func (c *clones) make(modes []string) {
	hub, home := filepath.Join(c.dir+"-clones", "hub.git"), c.dir
	c.git("init", "-q", "--bare", "-b", "main", hub)
	c.git("push", "-q", hub, "main")
	for i, mode := range modes {
		c.dir = filepath.Join(home+"-clones", string(rune('a'+i)))
		c.must(os.MkdirAll(filepath.Dir(c.dir), 0o777))
		c.must(os.CopyFS(c.dir, os.DirFS(home)))
		c.git("config", "ckpt.commit", mode)
		c.git("remote", "add", "origin", hub)
		c.git("fetch", "-q")
		c.git("branch", "-q", "-u", "origin/main")
		c.all = append(c.all, c.dir)
	}
	c.dir = c.all[0]
	word := c.word()
	c.run([]string{word}, "new", "first", "-m", "Problem "+word)
	c.sync()
}

// step takes an action in one of the clones.
func (c *clones) step() {
	now := c.now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour}).Draw(c.T, "later"))
	n := c.even(len(c.all), "clone")
	c.dir, c.now = c.all[n], now.Add(time.Duration(n)*7*time.Minute) // each has a clock of its own
	defer func() {
		c.now = now
		if reason := recover(); reason != nil && reason != notNow {
			panic(reason)
		}
	}()
	actions := []func(){c.note, c.note, c.note, c.delta, c.delta, c.state, c.next, c.supersede, c.archive, c.reopen, c.delete,
		c.undo, c.undo, c.fold, c.edit, func() { c.erase("") }, c.newOne, c.sync, c.sync, c.sync, c.pull, c.pull, c.pull,
		c.push, c.commit, c.squash, c.handOver, c.handOver}
	actions[c.even(len(actions), "action")]()
}

// Skip leaves the action.
func (c *clones) Skip(...any) { panic(notNow) }

// must fails the walk on an error.
func (c *clones) must(err error) {
	if err != nil {
		c.Fatal(err)
	}
}

// stored returns the words on the ref of the clone.
func (c *clones) stored() map[string]bool { return c.inside(store) }

// inside returns the words in a commit of the clone.
func (c *clones) inside(commit string) map[string]bool {
	out, _ := c.gitCommand("grep", "-h", "-o", "-E", besideWord, commit, "--", "checkpoints").Output()
	return found(string(out))
}

// removing lists the commands that may remove texts.
var removing = []string{"next", "undo", "delete", "reopen"}

// run runs a command in the clone, which adds words.
func (c *clones) run(words []string, args ...string) {
	before := c.stored()
	replaces := slices.Contains(removing, args[0]) || slices.Contains(args, "state") || slices.Contains(args, "--state")
	if replaces { // it may remove what it takes in
		maps.Copy(before, c.inside("HEAD"))
	}
	a := c.ckpt("", args...)
	if a.exit != 0 {
		if args[0] == "undo" && a.exit == 6 || args[0] == "sync" && a.exit == 6 {
			return
		}
		c.Fatalf("exit %d: ckpt %s\n%s%s", a.exit, shell(args, ""), a.out, a.err)
	}
	after := c.stored()
	for _, word := range words {
		if !after[word] {
			c.Fatalf("%s was not stored by ckpt %s", word, shell(args, ""))
		}
	}
	c.told = append(c.told, words...)
	for word := range before {
		switch {
		case after[word]:
		case replaces:
			c.removed[word] = true
		case !c.removed[word]:
			c.Fatalf("%s is gone after ckpt %s", word, shell(args, ""))
		}
	}
	if args[0] != "sync" && args[0] != "save" {
		c.newest[c.dir] = nil
	}
}

// id draws the id of a checkpoint in the clone.
func (c *clones) id(which string) string {
	var list struct {
		Checkpoints []struct {
			ID string `json:"id"`
		} `json:"checkpoints"`
	}
	c.must(json.Unmarshal([]byte(c.ckpt("", "list", which, "--json").out), &list))
	if len(list.Checkpoints) == 0 {
		c.Skip()
	}
	return list.Checkpoints[c.even(len(list.Checkpoints), "checkpoint")].ID
}

func (c *clones) newOne() {
	if len(c.deleted) > 3 {
		c.Skip()
	}
	word := c.word()
	c.run([]string{word}, "new", c.name(), "-m", "Problem "+word)
}

func (c *clones) note() {
	kind, id, word := rapid.SampledFrom([]string{"step", "context", "decision", "rule"}).Draw(c.T, "kind"), c.id("--active"), c.word()
	c.run([]string{word}, "note", kind, "Text "+word, "-c", id)
	if kind != "decision" && kind != "rule" { // these stay if another clone adds to them
		c.of[word] = id
	}
	c.newest[c.dir] = []string{word}
}

func (c *clones) delta() {
	id, word, next := c.id("--active"), c.word(), c.word()
	c.run([]string{word, next}, "delta", id, "-m", "Delta "+word, "--add-next", "Do "+next)
	c.of[word] = id
	c.newest[c.dir] = []string{word}
}

func (c *clones) state() {
	id, word := c.id("--active"), c.word()
	c.run([]string{word}, "delta", id, "-m", "As it is "+word, "--state", "State "+word)
}

func (c *clones) next() {
	id, word := c.id("--active"), c.word()
	c.run([]string{word}, "next", "Do "+word, "-c", id)
}

func (c *clones) supersede() {
	id, old, word := c.id("--active"), c.word(), c.word()
	c.run([]string{old}, "note", "decision", "Use "+old, "--why", "Fast", "-c", id)
	c.run([]string{word}, "note", "decision", "Use "+word, "--supersedes", "Use "+old, "-c", id)
}

func (c *clones) archive() {
	id, outcome, learned := c.id("--active"), c.word(), c.word()+learnedSuffix
	c.run([]string{outcome, learned}, "archive", id, "--outcome", "Done "+outcome, "--learning", "Know "+learned)
}

func (c *clones) reopen() { c.run(nil, "reopen", c.id("--archived")) }

func (c *clones) delete() {
	id := c.id("--all")
	c.deleted[id] = true
	c.run(nil, "delete", id, "--force")
}

func (c *clones) undo() {
	words := c.newest[c.dir]
	if words == nil {
		c.Skip()
	}
	c.run(nil, "undo")
	for _, word := range words {
		if c.removed[word] && c.of[word] != "" {
			c.undone[word] = c.of[word]
		}
	}
}

// fold makes text of the body what another clone may have removed with its delta: it may stay.
func (c *clones) fold() {
	id := c.id("--active")
	c.run(nil, "fold", id)
	for word := range c.stored() {
		if c.of[word] == id {
			delete(c.of, word)
			delete(c.undone, word)
		}
	}
}

// edit adds a line by hand, and saves it.
func (c *clones) edit() {
	id, word := c.id("--active"), c.word()
	b := &beside{walk: c.walk}
	src, err := os.ReadFile(b.onDisk(id))
	edited := below("### Technical Context", "- By hand "+word)(string(src))
	if err != nil || edited == string(src) || c.mode != "ref" && b.hasConflicts() {
		c.Skip()
	}
	c.log = append(c.log, "edit "+id+": "+word)
	c.must(os.WriteFile(b.onDisk(id), []byte(edited), 0o666))
	c.run([]string{word}, "save")
	c.newest[c.dir] = nil
}

// erase removes the line of a note by hand, and saves that. It prefers a line with a word.
func (c *clones) erase(word string) {
	id := c.id("--active")
	b := &beside{walk: c.walk}
	src, err := os.ReadFile(b.onDisk(id))
	var lines []string
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "- Text ") {
			lines = append(lines, line)
		}
	}
	if err != nil || len(lines) == 0 || c.mode != "ref" && b.hasConflicts() {
		c.Skip()
	}
	line := lines[c.even(len(lines), "line")]
	if preferred := "- Text " + word + "\n"; slices.Contains(lines, preferred) {
		line = preferred
	}
	c.log = append(c.log, "erase in "+id+": "+line)
	c.must(os.WriteFile(b.onDisk(id), []byte(strings.Replace(string(src), line, "", 1)), 0o666))
	for word := range found(line) {
		c.removed[word] = true
		if c.run(nil, "save"); !c.stored()[word] && c.of[word] != "" {
			c.undone[word] = id
		}
	}
	c.newest[c.dir] = nil
}

// handOver sends what a clone has to another one, which removes a text and sends it back, a minute later: sooner, a
// commit of an older version may be one that git had read before. Other walks rarely come to that.
func (c *clones) handOver() {
	from, to := c.dir, c.all[c.even(len(c.all), "to")]
	c.note()
	word := c.told[len(c.told)-1]
	for _, dir := range []string{from, to, from} {
		if c.dir = dir; dir == to {
			c.pull()
			c.now = c.now.Add(time.Minute)
			c.erase(word)
		}
		c.commit()
		c.pull()
		c.push()
	}
}

// squash makes one commit of those that no other clone has.
func (c *clones) squash() {
	if out, ok := c.git("merge-base", "HEAD", "origin/main"); ok {
		c.git("reset", "-q", "--soft", strings.TrimSpace(out))
		c.git("commit", "-q", "-m", "Squashed")
	}
}

func (c *clones) sync() { c.run(nil, "sync") }

// commit commits code and, in mode off, the files of checkpoints.
func (c *clones) commit() {
	c.must(os.WriteFile(filepath.Join(c.dir, filepath.Base(c.dir)+".go"), []byte("package code // "+c.word()+"\n"), 0o666))
	c.git("add", "-A", ".")
	c.git("commit", "-q", "-m", "Code")
}

func (c *clones) push() { c.git("push", "-q", "origin", "main") }

// pull pulls the branch by a merge or a rebase, and resolves the conflicts by ckpt.
func (c *clones) pull() {
	how, op := "--no-rebase", "merge"
	if c.chance(2, "rebase") {
		how, op = "--rebase", "rebase"
	}
	out, ok := c.git("pull", "-q", how, "--no-edit", "origin", "main")
	for n := 0; !ok && strings.Contains(out, "CONFLICT"); n++ {
		if op == "rebase" { // each old commit is merged anew, also with what was removed since
			clear(c.undone)
		}
		c.run(nil, "resolve")
		out, ok = c.git("-c", "core.editor=true", op, "--continue")
		if !ok && (n == 20 || !strings.Contains(out, "CONFLICT")) {
			c.git(op, "--abort")
		}
	}
	if c.chance(2, "save") {
		c.run(nil, "save")
	}
}

// finish syncs all clones, and compares them.
func (c *clones) finish() {
	for range 3 {
		for _, dir := range c.all {
			c.dir = dir
			c.run(nil, "sync")
		}
	}
	trees := map[string]string{}
	for _, dir := range c.all {
		c.dir = dir
		out, err := c.gitCommand("ls-tree", "-r", store, "checkpoints/active", "checkpoints/archive", "checkpoints/LEARNINGS.md").Output()
		c.must(err)
		trees[string(out)] = dir
		have := c.stored()
		for _, word := range c.told {
			if !have[word] && !c.removed[word] {
				c.Fatalf("%s is not in clone %s", word, filepath.Base(dir))
			}
		}
		if a := c.ckpt("", "decisions", "--verify"); a.exit != 0 && a.exit != 3 && len(c.deleted) == 0 {
			c.Fatalf("decisions --verify in %s: exit %d\n%s%s", filepath.Base(dir), a.exit, a.out, a.err)
		}
		for word, id := range c.undone {
			if have[word] && !c.deleted[id] {
				c.Fatalf("%s was removed from %s, and is in clone %s", word, id, filepath.Base(dir))
			}
		}
	}
	if len(trees) > 1 {
		diff, _ := c.gitCommand("diff", slices.Sorted(maps.Values(trees))[0]).Output()
		c.Fatalf("the clones differ: %q\n%s", slices.Sorted(maps.Keys(trees)), diff)
	}
}
