// Package walk tests ckpt by walks: random commands, as people and agents type them, together with a model
// of the checkpoints. pgregory.net/rapid draws the commands, and shrinks a failing walk to the few that
// matter.
//
// Each command is an action (commands_test.go, life_test.go, json_test.go, history_test.go, git_test.go):
// it draws its arguments, runs ckpt in this process, and tells the model what the command promises. After
// each action the invariants of check_test.go compare the repository with the model. So a new command
// needs a method and a row of [walk.actions], and a new promise a row of [invariants]. An operation of
// git that takes several commands needs a method for each of them; its state in between is a field of
// walk.
//
// TestWalksBesideGit (beside_test.go, besidegit_test.go, besidecheck_test.go) calls ckpt while git switches,
// rebases, merges and resets. Its model is coarser: words that must never get lost.
//
//	go test ./test/walk                             short walks in every mode, always the same ones
//	go test ./test/walk -walks 10000 -timeout 0     other and longer ones; a failure names its seed
//	go test ./test/walk -run /ref -walks 10000 -rapid.seed 7     those of a seed
package walk

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/term"
)

var walks = flag.Int("walks", 0, "run `N` long random walks, not the short ones that are the same each time")

// modes are the commit modes, each with its share of the walks.
var modes = []struct {
	name  string
	share int // in percent
}{{"own", 45}, {"ref", 35}, {"off", 20}}

// TestWalks walks in every commit mode.
func TestWalks(t *testing.T) {
	number, length := 100, 20
	if *walks > 0 {
		number, length = *walks, 25
	} else {
		set(t, "rapid.seed", 2)
	}
	set(t, "rapid.steps", length)
	set(t, "rapid.nofailfile", true)
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			template := newTemplate(t, mode.name)
			set(t, "rapid.checks", max(1, number*mode.share/100))
			rapid.Check(t, func(rt *rapid.T) { begin(t, rt, mode.name, template).run() })
		})
	}
}

// set sets a flag of rapid, unless the command line has it.
func set(t *testing.T, name string, value any) {
	if !typed()[name] {
		gittest.Must(t, flag.Set(name, fmt.Sprint(value)))
	}
}

// typed returns the flags of the command line.
var typed = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { all[f.Name] = true })
	return all
})

// walk is one walk: a repository, and the model of what must be in it.
type walk struct {
	*rapid.T
	mode  string
	dir   string // the repository
	now   time.Time
	words int // how many unique words were drawn
	names int // how many names of checkpoints were drawn

	branch   string
	lines    map[string]*line  // the checkpoints of each branch; in ref mode all branches share one
	user     map[string]string // the user's own files
	status   string            // git's status of the user's files
	exported map[string]string // the files of checkpoints, by id, whose JSON the model knows
	log      []string          // the commands that were run
}

// actions returns the actions of a walk, with their relative frequencies. Rapid tries them in random
// order. An action that cannot happen now skips itself.
func (w *walk) actions() map[string]func(*rapid.T) {
	of := map[string]func(*rapid.T){}
	for _, a := range []struct {
		name   string
		weight int
		do     func()
	}{
		{"new", 1, w.newByFlags},
		{"new -F body", 1, w.newByBody},
		{"new -F file", 1, w.newByFile},
		{"new -F json", 1, w.newByJSON},
		{"new --parent", 1, w.fork},

		{"note decision", 1, w.noteDecision},
		{"note --supersedes", 1, w.supersede},
		{"note", 1, w.noteLine},
		{"note rows", 1, w.noteRow},
		{"note state", 1, w.noteState},
		{"next", 1, w.next},
		{"next --add", 1, w.nextAdd},
		{"done", 1, w.done},
		{"delta", 1, w.deltaByFlags},
		{"delta by git", 1, w.deltaFromGit},
		{"delta -F md", 1, w.deltaByText},
		{"delta -F json", 4, w.deltaByJSON},
		{"fold", 1, w.fold},

		{"use", 1, w.use},
		{"use --none", 1, w.useNone},
		{"archive", 3, w.archive},
		{"reopen", 1, w.reopen},
		{"delete", 1, w.delete},
		{"undelete", 1, w.undelete},

		{"undo", 4, w.undo},
		{"redo", 1, w.redo},
		{"restore", 1, w.restore},
		{"show --at", 2, w.lookBack},
		{"edit by hand", 2, w.edit},
		{"save", 1, w.save},

		{"write code", 1, w.writeCode},
		{"remove code", 1, w.removeCode},
		{"come and go", 2, w.comeAndGo},
		{"commit", 1, w.commit},
		{"mark twice", 1, w.markTwice},
		{"worktree", 3, w.archiveElsewhere},
		{"switch -c", 1, w.newBranch},
		{"switch", 1, w.switchBranch},
	} {
		for i := range a.weight {
			of[a.name+strings.Repeat("'", i)] = func(*rapid.T) {
				w.now = w.now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour}).Draw(w.T, "later"))
				a.do()
			}
		}
	}
	return of
}

// run walks, and checks the invariants after each action.
func (w *walk) run() {
	actions := w.actions()
	actions[""] = func(*rapid.T) { w.check() }
	w.Repeat(actions)
}

// at returns the time of a command for the log, with a note if it runs in the linked worktree.
func (w *walk) at() string {
	at := w.now.Format(time.TimeOnly)
	if strings.HasSuffix(w.dir, otherDir) {
		at += " in linked:"
	}
	return at
}

// begin begins a walk in a copy of the template.
func begin(t *testing.T, rt *rapid.T, mode, template string) *walk {
	dir, err := os.MkdirTemp(filepath.Dir(template), "walk")
	gittest.Must(t, err)
	gittest.Must(t, os.CopyFS(dir, os.DirFS(template)))
	w := &walk{T: rt, mode: mode, dir: dir, now: time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC),
		branch: "main", lines: map[string]*line{"main": {model: newModel(), versions: map[string][]version{}}},
		user: map[string]string{"code.go": "package code\n"}, exported: map[string]string{}}
	rt.Cleanup(func() {
		if rt.Failed() {
			rt.Logf("the walk, in mode %s:\n%s", mode, strings.Join(w.log, "\n"))
		}
		_ = os.RemoveAll(dir)
		_ = os.RemoveAll(dir + otherDir)
	})
	return w
}

// newTemplate makes the repository with which every walk of a mode begins.
func newTemplate(t *testing.T, mode string) string {
	envtest.Set(t)
	t.Setenv("NO_COLOR", "1")
	r := &gittest.Repo{T: t, Dir: filepath.Join(t.TempDir(), "repo")}
	gittest.Must(t, os.Mkdir(r.Dir, 0o777))
	r.Git("init", "-q", "-b", "main", "--template=")
	for _, setting := range [][2]string{{"maintenance.auto", "false"}, {"gc.auto", "0"}, {"ckpt.commit", mode}, {"ckpt.fsync", "off"}} {
		r.Git("config", setting[0], setting[1])
	}
	r.Commit("First", "code.go", "package code\n")
	return r.Dir
}

// answer is the result of a command.
type answer struct {
	exit     int
	out, err string
}

// ckpt runs ckpt in this process, with a text as its standard input.
func (w *walk) ckpt(stdin string, args ...string) answer {
	at := w.now.Format(time.RFC3339)
	os.Setenv("GIT_AUTHOR_DATE", at)
	os.Setenv("GIT_COMMITTER_DATE", at)
	var out, errs bytes.Buffer
	session := "CKPT_SESSION="
	if args[0] == "delta" {
		session += "of-deltas"
	}
	exit := cli.Main(context.Background(), append([]string{"-C", w.dir}, args...), cli.World{
		Now:     func() time.Time { return w.now },
		Streams: term.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs, Env: envtest.Env("NO_COLOR=1", session, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)},
	})
	a := answer{exit, out.String(), errs.String()}
	if !slices.Contains([]string{"validate", "export", "list", "show", "resume", "learnings"}, args[0]) {
		w.log = append(w.log, strings.TrimRight(fmt.Sprintf("%s ckpt %s => %d %s", w.at(), shell(args, stdin), exit, a.err), "\n"))
	}
	return a
}

// shell returns a command line as it can be typed.
func shell(args []string, stdin string) string {
	var all []string
	for _, a := range args {
		if strings.ContainsAny(a, " \n`'\"|*~$<>()[]#\\;&") || a == "" {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		all = append(all, a)
	}
	if stdin != "" {
		all = append(all, "<<'EOF'\n"+strings.TrimRight(stdin, "\n")+"\nEOF\n")
	}
	return strings.Join(all, " ")
}

// git runs git and returns what it printed, and whether it succeeded.
func (w *walk) git(args ...string) (string, bool) {
	out, err := w.gitCommand(args...).CombinedOutput()
	w.log = append(w.log, strings.TrimRight(fmt.Sprintf("%s git %s => %v %s", w.at(), shell(args, ""), err == nil, out), "\n"))
	return string(out), err == nil
}

func (w *walk) gitCommand(args ...string) *exec.Cmd {
	cmd := envtest.Command("git", args...)
	cmd.Dir = w.dir
	at := w.now.Format(time.RFC3339)
	cmd.Env = append(cmd.Env, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	return cmd
}

// word returns a word that occurs nowhere else, so that invariants can find it in the bytes of the files.
func (w *walk) word() string {
	w.words++
	return fmt.Sprintf("zq%03d", w.words)
}

// text returns a text of one line with a unique word.
func (w *walk) text() string {
	return fmt.Sprintf(rapid.SampledFrom(forms).Draw(w.T, "text"), w.word())
}

// forms are the forms of a text of one line.
var forms = []string{
	"Fix %s", "the `queue` of %s", "%s, a *slow* path", "SSO users see %s", "2 of 3 are %s", "HTML: <b>%s</b>",
	"über %s, 日本", "see #12 and %s", "%s — then → done", "run `ckpt | wc` for %s", `C:\dir\%s`,
}

// long returns a text of several lines. Lines in it that look like headings are not headings.
func (w *walk) long() string {
	if rapid.Bool().Draw(w.T, "one line") {
		return w.text()
	}
	form := rapid.SampledFrom([]string{
		"%s\n\n%s", "%s:\n\n- one\n- %s", "%s\n\n```go\n## Decisions\n\nfunc %s()\n```", "%s\n\n| a | b |\n|---|---|\n| 1 | %s |",
		"%s\n\n    ## Problem\n    %s", "%s\n\n<details>\n## Next Actions\n%s\n</details>", "%s\n\n> quoted %s",
	}).Draw(w.T, "long text")
	return fmt.Sprintf(form, w.word(), w.word())
}

// number returns a number from 0 to n-1.
func (w *walk) number(n int, of string) int { return rapid.IntRange(0, n-1).Draw(w.T, of) }

// even returns a number from 0 to n-1, for n up to 256. Rapid prefers small numbers, but both bits are equally likely.
func (w *walk) even(n int, of string) int {
	number := 0
	for range 8 {
		number *= 2
		if rapid.Bool().Draw(w.T, of) {
			number++
		}
	}
	return number % n
}

// chance reports true once in n times, and never in the smallest example.
func (w *walk) chance(n int, of string) bool { return w.number(n, of) == n-1 }

// name returns the name of a checkpoint that does not exist yet.
func (w *walk) name() string {
	w.names++
	return fmt.Sprintf("n%d", w.names)
}
