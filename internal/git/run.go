package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/fault"
)

// Git runs git in this repository and returns what it printed. Paths among the arguments are
// literal, not patterns.
func (r *Repo) Git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	if _, err := r.gitRelease(ctx); err != nil {
		return nil, err
	}
	cmd := r.Command(ctx, args...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	if args[0] != "check-ignore" { // check-ignore takes literal paths anyway, and fails with this setting
		cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=1")
	}
	if r.noFetch {
		cmd.Env = append(cmd.Env, noFetch...)
	}
	return Output(cmd, stdin)
}

// GitGlob runs git as Git does, but paths among the arguments are patterns. The prefixes ":(literal)" and ":(glob)"
// select the kind of pattern.
func (r *Repo) GitGlob(ctx context.Context, args ...string) ([]byte, error) {
	return r.Git(ctx, nil, append([]string{"--no-literal-pathspecs"}, args...)...)
}

// GlobQuoted escapes the characters of a path that have a special meaning in a pattern of GitGlob.
func GlobQuoted(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// Command returns a git command that runs in the top folder. Git's variables for paths are made absolute, because git
// does not run in the folder where ckpt was started. Git's variables for pathspecs are off. Messages are in English,
// because some are parsed. When ctx ends, git is interrupted and not killed, so that it removes its lock files.
func (r *Repo) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "LANGUAGE=C",
		"GIT_LITERAL_PATHSPECS=0", "GIT_GLOB_PATHSPECS=0", "GIT_NOGLOB_PATHSPECS=0", "GIT_ICASE_PATHSPECS=0")
	if os.Getenv("GIT_DIR") != "" || os.Getenv("GIT_WORK_TREE") != "" {
		cmd.Env = append(cmd.Env, "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.root)
	}
	if os.Getenv("GIT_COMMON_DIR") != "" {
		cmd.Env = append(cmd.Env, "GIT_COMMON_DIR="+r.commonDir)
	}
	if os.Getenv("GIT_INDEX_FILE") != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+r.Index().File())
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// exitError is a failure of git: what it printed and its exit code.
type exitError struct {
	verb string
	said string
	code int
}

func (e *exitError) Error() string {
	if e.said == "" {
		return "git " + e.verb + " failed"
	}
	return "git " + e.verb + ": " + e.said
}

// Output runs a git command, such as one of [Repo.Command], and returns what it printed. The
// error has git's own words; [ExitCode] returns its exit code.
func Output(cmd *exec.Cmd, stdin []byte) ([]byte, error) {
	var out, said bytes.Buffer
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err != nil {
		return nil, failure(cmd, err, verbOf(cmd.Args[1:]), said.String())
	}
	return out.Bytes(), nil
}

// failure returns the error for a git command that has failed, with what it printed on standard error.
func failure(cmd *exec.Cmd, err error, verb, said string) error {
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case exited && cmd.ProcessState.Exited():
		return fault.New(fault.Failed, "%w", &exitError{verb, strings.TrimSpace(said), exit.ExitCode()})
	case errors.Is(err, exec.ErrNotFound):
		return fault.New(fault.Failed, "git is not installed, or not on the PATH").
			WithHint("install git, or put its folder on the PATH")
	}
	return fault.New(fault.Failed, "git %s: %w", verb, err)
}

// verbOf returns the subcommand in the arguments of git, such as "log".
func verbOf(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}

// ExitCode returns the exit code of git; 0 if err is not a failure of git.
func ExitCode(err error) int {
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return 0
}

// Init creates a repository in dir, unless there is one already.
func Init(ctx context.Context, dir string) (*Repo, error) {
	name, err := Version(ctx)
	if err == nil {
		err = parseRelease(name).check()
	}
	if err == nil {
		_, err = Output(exec.CommandContext(ctx, "git", "init", "--quiet", "--", dir), nil)
	}
	if err != nil {
		return nil, err
	}
	return Open(dir)
}

// InitFor creates a repository in dir, as Init does, and calls do. If do fails, InitFor removes a new repository.
func InitFor(ctx context.Context, dir string, do func() error) error {
	gitDir := filepath.Join(dir, ".git")
	_, err := os.Lstat(gitDir)
	isNew := errors.Is(err, fs.ErrNotExist)
	if _, err := Init(ctx, dir); err != nil {
		return err
	}
	err = do()
	if err != nil && isNew {
		return errors.Join(err, os.RemoveAll(gitDir))
	}
	return err
}

// Editor returns the user's editor as a shell command, as git finds it.
func (c Config) Editor(ctx context.Context) (string, error) {
	out, err := c.repo.Git(ctx, nil, "var", "GIT_EDITOR")
	return strings.TrimSpace(string(out)), err
}

// Run runs git in the top folder of the working tree, as a person would type it, and returns
// what it printed.
func (r *Repo) Run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.root
	if r.noFetch {
		cmd.Env = append(cmd.Environ(), noFetch...)
	}
	return Output(cmd, nil)
}

// asideOptions turn off warnings and speed-ups that the configuration may turn on.
var asideOptions = []string{"-c", "core.safecrlf=false", "-c", "core.fsmonitor=false",
	"-c", "advice.addEmbeddedRepo=false", "-c", "advice.addIgnoredFile=false"}

// Aside runs git without hooks and with another index; "" means the user's index. What git stores survives a power
// cut, unless ckpt.fsync is off.
func (r *Repo) Aside(ctx context.Context, index string, stdin []byte, args ...string) ([]byte, error) {
	durable, err := r.Durable(ctx)
	if err != nil {
		return nil, err
	}
	if durable != nil {
		durable = append(durable, "-c", "core.fsyncMethod=batch") // sync many objects in one round, if git can
	}
	none, err := r.Hooks().withoutHooks(ctx)
	if err != nil {
		return nil, err
	}
	cmd := r.Command(ctx, slices.Concat(asideOptions, none, durable, args)...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	if index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	}
	return Output(cmd, stdin)
}

// Retry calls do, and repeats that for up to 5 seconds while git fails because of another program's lock: git itself
// does not wait. If this process has ckpt's exclusive lock, Retry removes a lock of the index that a dead ckpt left.
func (r *Repo) Retry(do func() error) error {
	for deadline := time.Now().Add(LockWait); ; time.Sleep(50 * time.Millisecond) {
		err := do()
		if err == nil || !lockedOut(err) {
			return err
		}
		if time.Now().After(deadline) {
			return fault.New(fault.Busy, "another git program is at work: %w", err).WithHint("try again")
		}
		if lock := r.Index().File() + ".lock"; r.Locked() && r.refs.Locks.Ours(lock) {
			_ = os.Remove(lock) // if this fails, git reports the lock
		}
	}
}

// lockedOut reports whether git failed because another program had a lock or moved a ref.
func lockedOut(err error) bool {
	message := err.Error()
	return slices.ContainsFunc([]string{
		".lock': File exists", "cannot lock ref", "unable to write new index file",
		"data is locked", "data concurrently modified", // messages for a reftable
	}, func(part string) bool { return strings.Contains(message, part) })
}

// noFetch are the environment variables with which git does not fetch what a partial clone lacks.
// The second is for git before 2.45.
var noFetch = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// Oldest is the oldest version of git that ckpt supports.
const Oldest = "2.34"

// release is the version of a git binary. The zero value is an unknown one.
type release struct {
	name         string // "2.39.5 (Apple Git-154)"
	major, minor int
}

func parseRelease(name string) release {
	v := release{name: name}
	if _, err := fmt.Sscanf(v.name, "%d.%d", &v.major, &v.minor); err != nil {
		v.major, v.minor = 0, 0
	}
	return v
}

// before reports whether v is older than a release. An unknown version counts as new: it belongs to
// a git that was built without a number.
func (v release) before(major, minor int) bool {
	return v.major > 0 && (v.major < major || v.major == major && v.minor < minor)
}

// check returns fault.Unsupported if v is too old for ckpt.
func (v release) check() error {
	if !v.before(2, 34) {
		return nil
	}
	path, _ := exec.LookPath("git") // the version is known, so git is in PATH
	return fault.New(fault.Unsupported, "git %s is too old: ckpt needs git %s or newer", v.name, Oldest).
		WithHint("install a newer git, or put its folder first in PATH (this one is %s)", path)
}

// Version returns the version of the git binary in PATH; it runs git once.
func Version(ctx context.Context) (string, error) {
	out, err := Output(exec.CommandContext(ctx, "git", "version"), nil)
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version "), err
}

// program has the version of the git binary that a repository uses.
type program struct {
	lock    sync.Mutex // several goroutines may ask for the version
	release release    // zero until it is first needed
}

// gitRelease returns the version of git, and fault.Unsupported if it is too old. Asking git takes a
// process, about half of the time of a small commit, so the answer is cached with the configuration.
func (r *Repo) gitRelease(ctx context.Context) (release, error) {
	r.program.lock.Lock()
	defer r.program.lock.Unlock()
	if r.program.release.name != "" {
		return r.program.release, nil
	}
	known := r.conf
	if known == nil {
		known = r.Config().loadConfig(r.Config().configEnv())
	}
	if known == nil || known.release == "" {
		name, err := Version(ctx)
		if err != nil {
			return release{}, err
		}
		known = &config{release: name}
	}
	v := parseRelease(known.release)
	if err := v.check(); err != nil {
		return release{}, err
	}
	r.program.release = v
	return v, nil
}

// Version returns the version of the git binary that this repository uses.
func (r *Repo) Version(ctx context.Context) (string, error) {
	v, err := r.gitRelease(ctx)
	return v.name, err
}

// Network runs git with a remote, and returns what it printed on standard output and standard error. Progress is
// written to watch. If watch is nil, git does not ask for a password.
func (r *Repo) Network(ctx context.Context, watch io.Writer, verb string,
	args ...string) (out []byte, said string, err error) {
	if watch != nil {
		args = append([]string{"--progress"}, args...)
	}
	cmd := r.Command(ctx, append([]string{verb}, args...)...)
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if watch == nil {
		cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0")
	} else {
		shown := &afterAWhile{to: watch, first: "git " + verb + " is still at work\n"}
		timer := time.AfterFunc(time.Second, shown.begin)
		defer timer.Stop()
		cmd.Stderr = io.MultiWriter(&stderr, shown)
	}
	err = cmd.Run()
	said = stderr.String()
	if err != nil {
		err = failure(cmd, err, verb, withoutProgress(said))
	}
	return stdout.Bytes(), said, err
}

// withoutProgress removes lines that git has overwritten on the terminal.
func withoutProgress(said string) string {
	var kept strings.Builder
	for line := range strings.Lines(said) {
		if i := strings.LastIndexByte(line, '\r'); i < 0 {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// afterAWhile is a writer that drops everything until begin is called, which writes the first line.
type afterAWhile struct {
	to    io.Writer
	first string
	mu    sync.Mutex
	begun bool
}

func (w *afterAWhile) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun = true
	_, _ = io.WriteString(w.to, w.first) // an error is ignored, since progress is not essential
}

func (w *afterAWhile) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.begun {
		return len(p), nil
	}
	return w.to.Write(p)
}
