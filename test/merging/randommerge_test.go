//go:build unix

package merging

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/test/ckpttest"
)

var mergeAll = flag.Bool("merge.all", false, "1,000 random pairs of branches and 200 triples are merged, not a few")

// TestRandomMerges merges branches on which random commands of ckpt were run: by git with
// the merge driver, and by git without it and `ckpt resolve`. No text of a side is lost,
// the result is the same in every order, a second merge changes nothing, and validate
// finds no error that no side had. The name of a failing case is its seed.
func TestRandomMerges(t *testing.T) {
	pairs, triples := 10, 4
	if *mergeAll {
		pairs, triples = 1000, 200
	}
	if testing.Short() {
		pairs, triples = 1, 1
	}
	r := newRandomRepos(t)
	for seed := range pairs {
		t.Run(fmt.Sprintf("pair/%d", seed), func(t *testing.T) {
			t.Parallel()
			r.branches(t, uint64(seed), "a", "b").pair()
		})
	}
	for seed := range triples {
		t.Run(fmt.Sprintf("triple/%d", seed), func(t *testing.T) {
			t.Parallel()
			r.branches(t, uint64(seed)+1_000_000, "a", "b", "c").triple()
		})
	}
}

// randomRepos has the repository with which random histories begin.
type randomRepos struct {
	ckpt     string // the executable
	template string
}

func newRandomRepos(t *testing.T) *randomRepos {
	home := t.TempDir()
	r := &randomRepos{template: filepath.Join(home, "template")}
	gittest.Must(t, os.Mkdir(filepath.Join(home, "bin"), 0o777))
	r.ckpt = ckpttest.Executable(t, filepath.Join(home, "bin"))
	gittest.Must(t, os.Mkdir(r.template, 0o777))
	h := &randomHistory{t: t, randomRepos: r, dir: r.template, now: randomStart}
	h.write("code.go", "package code\n")
	h.git("init", "-q", "-b", "main")
	h.git("config", "maintenance.auto", "false")
	h.git("config", "gc.auto", "0")
	h.git("add", ".")
	h.git("commit", "-q", "-m", "First")
	h.must("init")
	h.must("setup", "git")
	return r
}

var randomStart = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// randomHistory is a repository with random branches.
type randomHistory struct {
	*randomRepos
	t     *testing.T
	dir   string
	rand  *rand.Rand
	now   time.Time
	sides []*randomSide
	base  mergedFiles
	words int
	log   []string // the commands that were run
}

// randomSide is a branch with its files.
type randomSide struct {
	name   string
	files  mergedFiles
	errors []string

	conflict bool // of a merge: git left conflicts
}

// branches makes a history of a few commands on main, and some more on each branch.
func (r *randomRepos) branches(t *testing.T, seed uint64, names ...string) *randomHistory {
	h := &randomHistory{t: t, randomRepos: r, dir: filepath.Join(t.TempDir(), "repo"), rand: rand.New(rand.NewPCG(seed, 1)), now: randomStart}
	gittest.Must(t, os.CopyFS(h.dir, os.DirFS(r.template)))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the history:\n%s", strings.Join(h.log, "\n"))
		}
	})
	if h.chance(4) {
		h.must("init")
	}
	for range 1 + h.rand.IntN(3) {
		h.ckptNew("m")
	}
	for range h.rand.IntN(5) {
		h.step("m")
	}
	h.base = h.read()
	forked := h.now
	main := h.dir
	for _, name := range names { // in a clone of its own, since branches of a clone share their checkpoints
		h.dir = main
		clone := filepath.Join(filepath.Dir(main), "of-"+name)
		h.git("clone", "-q", "-b", "main", main, clone)
		h.dir = clone
		h.git("switch", "-q", "-c", name)
		h.now = forked
		for range 1 + h.rand.IntN(5) {
			h.step(name)
		}
		h.sides = append(h.sides, &randomSide{name: name, files: h.read(), errors: h.errors()})
		h.git("-C", main, "fetch", "-q", clone, name+":"+name)
	}
	h.dir = main
	h.git("update-ref", "-d", "refs/ckpt/checkpoints")
	gittest.Must(t, os.RemoveAll(filepath.Join(main, ".git", "ckpt"))) // a clone without a store merges them
	h.now = forked.Add(24 * time.Hour)
	return h
}

func (h *randomHistory) chance(n int) bool { return h.rand.IntN(n) == 0 }

// word returns a word that occurs nowhere else.
func (h *randomHistory) word(side string) string {
	h.words++
	return fmt.Sprintf("zq%s%03d", side, h.words)
}

// name returns a name that no other checkpoint or file has.
func (h *randomHistory) name(side string) string { return "n" + h.word(side)[2:] }

var wordPattern = text.Regexp(`zq[a-z]\d{3}`)

// text returns a few words, of which one is new.
func (h *randomHistory) text(side string) string {
	all := []string{"the queue", "retries", "`code.go`", "a *slow* path", "SSO: users", "2 of 3", "the <b> tag"}
	return all[h.rand.IntN(len(all))] + " " + h.word(side) + " " + all[h.rand.IntN(len(all))]
}

// step runs one random command. It may be refused, and then changes nothing.
func (h *randomHistory) step(side string) {
	h.now = h.now.Add([]time.Duration{0, time.Second, time.Minute, time.Hour}[h.rand.IntN(4)])
	active, archived := h.ids("active"), h.ids("archive")
	of := func(args ...string) []string { return args }
	if len(active) > 0 && !h.chance(3) {
		of = func(args ...string) []string { return append(args, "-c", active[h.rand.IntN(len(active))]) }
	}
	switch n := h.rand.IntN(100); {
	case n < 8:
		h.ckptNew(side)
	case n < 30:
		h.delta(side, of)
	case n < 50:
		h.note(side, active, of)
	case n < 56:
		h.run(of("next", h.text(side), h.text(side))...)
	case n < 61:
		h.run(of("next", "--add", h.text(side))...)
	case n < 66:
		h.run(of("done", "#1")...)
	case n < 70:
		h.run("use", h.one(active))
	case n < 77:
		h.run("archive", h.one(active), "--outcome", h.text(side), "--learning", h.text(side))
	case n < 81:
		h.run("reopen", h.one(archived))
	case n < 85:
		h.run("delete", h.one(append(active, archived...)), "--force")
	case n < 88:
		h.run("undo")
	case n < 91:
		h.run(of("fold")...)
	case n < 94:
		h.run(of("mark", h.text(side))...)
		h.run(of("note", "context", h.text(side))...)
		if !h.chance(3) {
			h.run(of("rewind", h.text(side))...)
		}
	case n < 96:
		h.rename(side)
	case n < 98:
		h.edit(side)
	default:
		h.write(side+".go", "package code // "+h.text(side)+"\n")
		h.git("add", side+".go")
		h.git("commit", "-q", "-m", "Code")
	}
}

func (h *randomHistory) ckptNew(side string) {
	name := h.name(side)
	if h.chance(8) {
		name = "same" // on both sides, as likely as not
	}
	args := []string{"new", name, "--problem", h.text(side), "--intent", h.text(side), "--next", h.text(side), "--decision", h.text(side) + ": " + h.text(side)}
	if h.chance(2) {
		args = append(args, "--state", h.text(side), "--next", h.text(side), "--rule", h.text(side))
	}
	if active := h.ids("active"); len(active) > 0 && h.chance(4) {
		args = append(args, "--parent", h.one(active))
	}
	if h.chance(4) {
		args = append(args, "--parked")
	}
	h.run(args...)
}

func (h *randomHistory) delta(side string, of func(...string) []string) {
	args := []string{"delta", "-m", h.text(side)}
	for _, flag := range []string{"--state", "--next", "--next", "--add-next", "--decision", "--artifact", "--transition"} {
		if !h.chance(4) {
			continue
		}
		text := h.text(side)
		switch flag {
		case "--decision":
			text += ": " + h.text(side)
		case "--artifact":
			text = h.word(side) + ".go:modified"
		case "--transition":
			text += ": open -> closed"
		}
		args = append(args, flag, text)
	}
	h.run(of(args...)...)
}

func (h *randomHistory) note(side string, active []string, of func(...string) []string) {
	switch h.rand.IntN(8) {
	case 0:
		h.run(of("note", "decision", h.text(side), "--why", h.text(side))...)
	case 1:
		if c, ok := h.read()["active/"+h.one(active)+".md"]; ok {
			if bold := regexp.MustCompile(`(?m)^- \*\*.*?(zq[a-z]\d{3})`).FindAllStringSubmatch(c, -1); len(bold) > 0 {
				h.run(of("note", "decision", h.text(side), "--why", h.text(side), "--supersedes", bold[h.rand.IntN(len(bold))][1])...)
			}
		}
	case 2:
		h.run(of("note", "context", h.text(side))...)
	case 3:
		h.run(of("note", "breadcrumb", "file", h.word(side)+".go", h.text(side))...)
	case 4:
		h.run(of("note", "step", h.text(side))...)
	case 5:
		h.run(of("note", "artifact", h.word(side)+".go:created")...)
	case 6:
		h.run(of("note", "state", h.text(side))...)
	case 7:
		h.run(of("note", "rule", h.text(side))...)
	}
}

// rename gives a file another name by hand; the id stays.
func (h *randomHistory) rename(side string) {
	id := h.one(h.ids("active"))
	from := "checkpoints/active/" + id + ".md"
	if _, err := os.Stat(filepath.Join(h.dir, from)); err != nil {
		return
	}
	h.git("mv", from, "checkpoints/active/"+h.name(side)+".md")
	h.git("commit", "-q", "-m", "Rename")
}

// edit changes a line and adds one by hand.
func (h *randomHistory) edit(side string) {
	path := "checkpoints/active/" + h.one(h.ids("active")) + ".md"
	src, err := os.ReadFile(filepath.Join(h.dir, path))
	if err != nil {
		return
	}
	text := strings.Replace(string(src), "\n## Decisions\n\n", "\n## Decisions\n\n- **"+h.text(side)+"**: by hand\n", 1)
	if h.chance(2) {
		text = strings.TrimRight(text, "\n") + "\n\n## " + h.text(side) + "\n\n" + h.text(side) + "\n"
	}
	h.write(path, text)
	h.run("save")
}

// one returns a random element of a list, or "none" if the list is empty.
func (h *randomHistory) one(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	return all[h.rand.IntN(len(all))]
}

// mergedFiles has the files of a checkpoints folder, by their paths in it.
type mergedFiles map[string]string

func (h *randomHistory) read() mergedFiles {
	all := mergedFiles{}
	dir := filepath.Join(h.dir, "checkpoints")
	gittest.Must(h.t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		src, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(rel)] = string(src)
		return err
	}))
	return all
}

var idPattern = text.Regexp(`(?m)^checkpoint: (.*)$`)

// ids returns the files below a folder, by the ids of their checkpoints.
func (f mergedFiles) ids(below string) map[string]string {
	all := map[string]string{}
	for path, src := range f {
		if m := idPattern.Get().FindStringSubmatch(src); m != nil && strings.HasPrefix(path, below) {
			all[m[1]] = src
		}
	}
	return all
}

func (h *randomHistory) ids(below string) []string {
	var all []string
	for id := range h.read().ids(below + "/") {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// run runs ckpt and returns its output, and whether it succeeded.
func (h *randomHistory) run(args ...string) (string, bool) {
	out, err := h.command(h.ckpt, args...).CombinedOutput()
	h.log = append(h.log, fmt.Sprintf("%s ckpt %q %v", h.now.Format(time.TimeOnly), args, err))
	if err == nil || bytes.Contains(out, []byte("ckpt: ")) {
		return string(out), err == nil
	}
	h.t.Fatalf("ckpt %q: %v\n%s", args, err, out)
	return "", false
}

func (h *randomHistory) must(args ...string) string {
	out, ok := h.run(args...)
	if !ok {
		h.t.Fatalf("ckpt %q:\n%s", args, out)
	}
	return out
}

func (h *randomHistory) tryGit(args ...string) (string, error) {
	out, err := h.command("git", args...).CombinedOutput()
	h.log = append(h.log, fmt.Sprintf("%s git %q %v", h.now.Format(time.TimeOnly), args, err))
	return string(out), err
}

func (h *randomHistory) git(args ...string) string {
	out, err := h.tryGit(args...)
	if err != nil {
		h.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(out)
}

func (h *randomHistory) command(name string, args ...string) *exec.Cmd {
	cmd := envtest.Command(name, args...)
	cmd.Dir = h.dir
	at := h.now.Format(time.RFC3339)
	cmd.Env = envtest.Env("PATH="+filepath.Dir(h.ckpt)+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+h.dir, "NO_COLOR=1", ckpttest.NoSleep,
		"CKPT_TEST_TIME="+at, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	return cmd
}

func (h *randomHistory) write(path, text string) {
	gittest.Must(h.t, os.WriteFile(filepath.Join(h.dir, path), []byte(text), 0o666))
}
