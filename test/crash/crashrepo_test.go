//go:build unix

package crash

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/test/ckpttest"
)

// crash is a command that is killed many times, each time in a copy of the same
// repository.
type crash struct {
	t             *testing.T
	ckpt          string // the executable
	template      string // the repository before the command
	commit        string // git config ckpt.commit
	command       []string
	code          int  // its exit code
	alone         bool // only ckpt is hit: a git that is killed at the index leaves a lock, which the user must remove
	several       bool // the command makes several operations: the first stay if a later one fails
	before, after map[string]string
}

func newCrash(t *testing.T, commit string, command []string) *crash {
	dir := t.TempDir()
	c := &crash{
		t: t, commit: commit, command: command, ckpt: ckpttest.Executable(t, dir), template: filepath.Join(dir, "template"),
	}
	gittest.Must(t, os.Mkdir(c.template, 0o777))
	c.write("README.md", "# A project\n")
	c.write("code.go", "package code\n")
	c.git(c.template, "init", "-q", "-b", "main")
	c.git(c.template, "add", ".")
	c.git(c.template, "commit", "-q", "-m", "First")
	name := strings.TrimSuffix(t.Name()[strings.LastIndexByte(t.Name(), '/')+1:], ",_ref")
	switch {
	case commit == "ref":
		c.must(c.template, "init", "--commit", "ref")
	default:
		c.must(c.template, "init")
		c.git(c.template, "config", "ckpt.commit", commit)
	}
	c.must(c.template, "new", "auth", "--problem", "Logins fail")
	c.must(c.template, "new", "auth-log", "--parent", "auth", "--problem", "Nobody sees why", "--next", "Look")
	c.several = name == "sync"
	c.arrange(name)
	c.write("staged.go", "package code // staged\n")
	c.git(c.template, "add", "staged.go")
	c.write("code.go", "package code // edited\n")
	c.write("untracked.go", "package code // untracked\n")
	switch {
	case strings.HasSuffix(name, "bisect"):
		c.git(c.template, "bisect", "start")
	case name == "publish":
		c.git(c.template, "bisect", "start")
		c.must(c.template, "archive", "--outcome", "Refusals are logged", "--learning", "Log why")
		c.must(c.template, "new", "billing", "--problem", "Bills are late")
		c.git(c.template, "bisect", "reset")
	case command[0] == "save" && commit == "ref":
		c.write(".ckpt/LEARNINGS.md", "# Learnings\n\n- By hand\n")
	case command[0] == "save":
		c.write("checkpoints/LEARNINGS.md", "# Learnings\n\n- By hand\n")
	}

	c.before = c.state(c.template)
	repo := c.copy("after")
	if out, code := c.run(repo, command...); code != c.code {
		t.Fatalf("ckpt %s: exit code %d\n%s", command, code, out)
	}
	c.after = c.state(repo)
	if maps.Equal(c.before, c.after) {
		t.Fatalf("ckpt %s changes nothing", command)
	}
	return c
}

// arrange makes the checkpoints and commits that some of the commands need.
func (c *crash) arrange(name string) {
	switch name {
	case "import":
		c.write("store.jsonl", rows(6, 200_000))
	case "prune", "undo_of_a_prune":
		c.write("store.jsonl", rows(70, 10)) // so many that ckpt checks the packs
		c.must(c.template, "import", "store.jsonl")
		if name == "prune" {
			return
		}
		c.must(c.template, "prune", "--max-per-workflow", "2", "--apply")
		c.git(c.template, "gc", "-q")
	case "sync":
		c.apart()
	}
}

// apart makes a remote inside the template, so that each copy has its own, and pushes to it from elsewhere.
func (c *crash) apart() {
	other := filepath.Join(filepath.Dir(c.template), "other")
	c.git(c.template, "clone", "-q", "--bare", ".", ".git/hub.git")
	c.git(c.template, "remote", "add", "origin", "./.git/hub.git")
	c.must(c.template, "sync")
	c.git(c.template, "clone", "-q", ".git/hub.git", other)
	c.must(other, "sync")
	c.must(other, "note", "step", "Of the other", "-c", "auth")
	c.must(other, "new", "others", "--problem", "Theirs", "--parked")
	c.must(other, "sync")
	c.must(c.template, "note", "step", "Mine", "-c", "auth")
	c.alone = true
}

// rows returns a store of n checkpoints.
func rows(n, size int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"checkpoint_id":"chk-row-%d","workflow_id":"wf","created_at":"2026-01-01T20:%02d:00Z","state":{"current_phase":"%s"}}`+"\n", i, i%60, strings.Repeat("word ", size/5))
	}
	return b.String()
}

func (c *crash) run(repo string, args ...string) (string, int) {
	cmd := envtest.Command(c.ckpt, args...)
	cmd.Dir, cmd.Env = repo, c.env()
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (c *crash) must(repo string, args ...string) {
	c.t.Helper()
	if out, code := c.run(repo, args...); code != 0 {
		c.t.Fatalf("ckpt %s: exit code %d\n%s", strings.Join(args, " "), code, out)
	}
}

func (c *crash) git(repo string, args ...string) string {
	c.t.Helper()
	cmd := envtest.Command("git", args...)
	cmd.Dir, cmd.Env = repo, c.env()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		c.t.Errorf("git %s: %v", strings.Join(args, " "), err)
	}
	return said.String()
}

func (c *crash) env() []string {
	home := filepath.Dir(c.template)
	return envtest.Env("HOME="+home, "XDG_CONFIG_HOME="+home, "CKPT_TEST_TIME=2026-01-02T10:00:00Z", "GOMAXPROCS=2", ckpttest.NoSleep)
}

func (c *crash) write(path, content string) {
	path = filepath.Join(c.template, path)
	gittest.Must(c.t, os.MkdirAll(filepath.Dir(path), 0o777))
	gittest.Must(c.t, os.WriteFile(path, []byte(content), 0o666))
}

// copy makes a copy of the template, and returns its path. Files keep their times, so
// that git's index fits them.
func (c *crash) copy(name string) string {
	to := filepath.Join(filepath.Dir(c.template), name)
	if out, err := envtest.Command("cp", "-Rp", c.template, to).CombinedOutput(); err != nil {
		c.t.Fatalf("%v\n%s", err, out)
	}
	return to
}
