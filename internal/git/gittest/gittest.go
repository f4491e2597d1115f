// Package gittest makes throw-away repositories for tests, with a fixed author
// and time, so that even commit hashes are the same on every machine.
package gittest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// Clock returns the time in the variable CKPT_TEST_TIME. If a test starts ckpt, that is its present time.
func Clock() time.Time {
	t, err := time.Parse(time.RFC3339, os.Getenv("CKPT_TEST_TIME"))
	if err != nil {
		panic(err)
	}
	return t
}

// Repo is a repository below a test's temporary folder.
type Repo struct {
	T   testing.TB
	Dir string
}

// New makes an empty repository on branch main, in which commits do not start git's maintenance. It also sets the
// environment of the test's own process, for the code under test, so tests that use New cannot be parallel.
func New(t *testing.T, initArgs ...string) *Repo {
	t.Helper()
	envtest.Set(t)
	r := &Repo{T: t, Dir: filepath.Join(t.TempDir(), "repo")}
	if err := os.Mkdir(r.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	r.Git("config", "maintenance.auto", "false")
	return r
}

// At returns a Repo of the same test for another folder, such as a worktree or a clone.
func (r *Repo) At(dir string) *Repo { return &Repo{T: r.T, Dir: dir} }

// Command returns a command in the repository, which is not started yet. Its environment is that of the
// test's process, with what the test has set.
func (r *Repo) Command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.Dir, os.Environ()
	return cmd
}

// Git runs git in the repository and returns what it printed, without the last
// line break. A failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.T.Helper()
	out, err := r.TryGit(args...)
	if err != nil {
		r.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TryGit does what Git does, but returns an error, with git's message in place of the output. Git starts no maintenance
// in the background.
func (r *Repo) TryGit(args ...string) (string, error) {
	cmd := r.Command("git", append([]string{"-c", "maintenance.auto=false"}, args...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err != nil {
		return said.String(), err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// Write writes a file, and the folders it needs.
func (r *Repo) Write(path, content string) {
	r.T.Helper()
	full := filepath.Join(r.Dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.T.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		r.T.Fatal(err)
	}
}

// Read returns the content of a file.
func (r *Repo) Read(path string) string {
	r.T.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir, path))
	if err != nil {
		r.T.Fatal(err)
	}
	return string(data)
}

// Commit writes the files (path, content, path, content, ...) and commits them
// with everything else that is staged.
func (r *Repo) Commit(message string, files ...string) {
	r.T.Helper()
	add := []string{"add", "--"}
	for i := 0; i+1 < len(files); i += 2 {
		r.Write(files[i], files[i+1])
		add = append(add, files[i])
	}
	if len(files) > 0 {
		r.Git(add...)
	}
	r.Git("commit", "-q", "--allow-empty", "-m", message)
}

// Script writes an executable file, such as a hook.
func (r *Repo) Script(path, content string) {
	r.T.Helper()
	r.Write(path, content)
	if err := os.Chmod(filepath.Join(r.Dir, path), 0o755); err != nil {
		r.T.Fatal(err)
	}
}

// Open opens the repository.
func (r *Repo) Open() *git.Repo {
	r.T.Helper()
	return Open(r.T, r.Dir)
}

// Apply writes or removes files of the working tree.
func (r *Repo) Apply(files []change.File) {
	r.T.Helper()
	for _, f := range files {
		if f.Gone() {
			Must(r.T, os.Remove(filepath.Join(r.Dir, f.Path)))
		} else {
			r.Write(f.Path, string(f.After))
		}
	}
}

// Open opens the repository that a folder is in.
func Open(t testing.TB, dir string) *git.Repo {
	t.Helper()
	r, err := git.Open(dir)
	Must(t, err)
	return r
}

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v (%v)\nhint: %s", err, fault.KindOf(err), fault.HintOf(err))
	}
}

// Base returns files for a first commit, as arguments for [Repo.Commit].
func Base() []string {
	return []string{
		"a.txt", "a\n", "dir/b.txt", "b\n", "dir/c.txt", "c\n",
		"half.txt", "half\n", "deleted.txt", "deleted\n", "removed.txt", "removed\n",
		"checkpoints-old/a.md", "a\n", "checkpoints/z.txt", "z\n",
		"checkpoints/active/x.md", "one\n", "checkpoints/active/gone.md", "gone\n", "checkpoints/active/sub/y.md", "y\n",
	}
}

// Operation returns an operation on files of [Base]: it changes, moves, removes and makes files.
func Operation() []change.File {
	return []change.File{
		{Path: "checkpoints/active/x.md", Before: []byte("one\n"), After: []byte("two\r\nlines $Id$\n")},
		{Path: "checkpoints/active/gone.md", Before: []byte("gone\n")},
		{Path: "checkpoints/archive/2026/gone.md", After: []byte("gone\n")},
		{Path: "checkpoints/active/sub/y.md", Before: []byte("y\n")},
		{Path: "checkpoints/active/empty.md", After: []byte{}},
	}
}
