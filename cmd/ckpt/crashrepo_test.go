//go:build unix

package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// crash is one command that is killed again and again, each time in a copy of the
// same repository.
type crash struct {
	t             *testing.T
	ckpt          string // the executable
	template      string // the repository before the command
	command       []string
	before, after map[string]string
}

func newCrash(t *testing.T, commit string, command []string) *crash {
	self, err := os.Executable()
	check(t, err)
	dir := t.TempDir()
	c := &crash{t: t, command: command, ckpt: filepath.Join(dir, "ckpt"), template: filepath.Join(dir, "template")}
	check(t, os.Symlink(self, c.ckpt)) // the test's executable is ckpt, called by that name: see TestMain
	check(t, os.Mkdir(c.template, 0o777))
	c.write("README.md", "# A project\n")
	c.write("code.go", "package code\n")
	c.git(c.template, "init", "-q", "-b", "main")
	c.git(c.template, "add", ".")
	c.git(c.template, "commit", "-q", "-m", "First")
	c.must(c.template, "init", "--index")
	c.git(c.template, "config", "ckpt.commit", commit)
	c.must(c.template, "new", "auth", "--problem", "Logins fail")
	c.must(c.template, "new", "auth-log", "--parent", "auth", "--problem", "Nobody sees why", "--next", "Look")
	c.write("staged.go", "package code // staged\n")
	c.git(c.template, "add", "staged.go")
	c.write("code.go", "package code // edited\n")
	c.write("untracked.go", "package code // untracked\n")
	switch {
	case strings.HasSuffix(t.Name(), "bisect"):
		c.git(c.template, "bisect", "start")
	case strings.HasSuffix(t.Name(), "land"):
		c.git(c.template, "bisect", "start")
		c.must(c.template, "archive", "--outcome", "Refusals are logged", "--learning", "Log why")
		c.must(c.template, "new", "billing", "--problem", "Bills are late")
		c.git(c.template, "bisect", "reset")
	case command[0] == "save":
		c.write("checkpoints/LEARNINGS.md", "# Learnings\n\n- By hand\n")
	}

	c.before = c.state(c.template)
	repo := c.copy("after")
	c.must(repo, command...)
	c.after = c.state(repo)
	if maps.Equal(c.before, c.after) {
		t.Fatalf("ckpt %s changes nothing", command)
	}
	return c
}

func (c *crash) run(repo string, args ...string) (string, error) {
	cmd := exec.Command(c.ckpt, args...)
	cmd.Dir, cmd.Env = repo, c.env()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c *crash) must(repo string, args ...string) {
	c.t.Helper()
	if out, err := c.run(repo, args...); err != nil {
		c.t.Fatalf("ckpt %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (c *crash) git(repo string, args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", args...)
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
	return append(gittest.Env(), "PATH="+os.Getenv("PATH"), "HOME="+home, "XDG_CONFIG_HOME="+home, "CKPT_TEST_TIME=2026-01-02T10:00:00Z", "GOMAXPROCS=2", noSleep)
}

func (c *crash) write(path, content string) {
	path = filepath.Join(c.template, path)
	check(c.t, os.MkdirAll(filepath.Dir(path), 0o777))
	check(c.t, os.WriteFile(path, []byte(content), 0o666))
}

// copy is a copy of the template, with its times: what git thinks of its files is
// the same.
func (c *crash) copy(name string) string {
	to := filepath.Join(filepath.Dir(c.template), name)
	if out, err := exec.Command("cp", "-Rp", c.template, to).CombinedOutput(); err != nil {
		c.t.Fatalf("%v\n%s", err, out)
	}
	return to
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
