package ckpttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
)

// Executable makes a link to the test's executable in a folder and returns its path. Started by that path, the
// executable runs ckpt.
func Executable(t testing.TB, dir string) string {
	t.Helper()
	self, err := os.Executable()
	gittest.Must(t, err)
	path := filepath.Join(dir, "ckpt")
	gittest.Must(t, os.Symlink(self, path))
	return path
}

// Repo is a repository in which a test starts ckpt as a separate process.
type Repo struct {
	T    *testing.T
	Dir  string
	Ckpt string // the executable
}

// NewRepo makes a repository with one commit. The folder around it is the user's home.
func NewRepo(t *testing.T) *Repo {
	home := t.TempDir()
	r := &Repo{T: t, Dir: filepath.Join(home, "app"), Ckpt: Executable(t, home)}
	gittest.Must(t, os.Mkdir(r.Dir, 0o777))
	r.Git("init", "-q", "-b", "main")
	r.Git("commit", "-q", "--allow-empty", "-m", "First")
	return r
}

// Env returns the environment of all processes in the repository.
func (r *Repo) Env() []string {
	return envtest.Env("HOME="+filepath.Dir(r.Dir), "CKPT_TEST_TIME=2026-01-02T10:00:00Z", NoSleep)
}

// Command returns a command of ckpt, which is not started yet.
func (r *Repo) Command(args ...string) *exec.Cmd {
	cmd := envtest.Command(r.Ckpt, args...)
	cmd.Dir, cmd.Env = r.Dir, r.Env()
	return cmd
}

// Git runs git and returns what it printed. The test fails if git does.
func (r *Repo) Git(args ...string) string {
	r.T.Helper()
	cmd := envtest.Command("git", args...)
	cmd.Dir, cmd.Env = r.Dir, r.Env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Write writes a file.
func (r *Repo) Write(name, text string) {
	r.T.Helper()
	gittest.Must(r.T, os.WriteFile(filepath.Join(r.Dir, name), []byte(text), 0o666))
}

// Read returns the text of a file, empty if not found.
func (r *Repo) Read(name string) string {
	r.T.Helper()
	src, err := os.ReadFile(filepath.Join(r.Dir, name))
	if os.IsNotExist(err) {
		return ""
	}
	gittest.Must(r.T, err)
	return string(src)
}
