package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// git runs the git binary in this repository and returns what it printed. Paths
// among the arguments are taken by the letter, not as patterns.
func (r *Repo) Git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	if _, err := r.gitRelease(ctx); err != nil {
		return nil, err
	}
	cmd := r.command(ctx, args...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	if args[0] != "check-ignore" { // it takes paths anyway, and refuses to be told so
		cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=1")
	}
	if r.noFetch {
		cmd.Env = append(cmd.Env, noFetch...)
	}
	return output(cmd, stdin)
}

// gitGlob is git with paths among the arguments as patterns, which say with
// ":(literal)" or ":(glob)" what they are.
func (r *Repo) GitGlob(ctx context.Context, args ...string) ([]byte, error) {
	return r.Git(ctx, nil, append([]string{"--no-literal-pathspecs"}, args...)...)
}

// command is git with these arguments, in the top folder, with an environment
// that hooks may see. When ctx ends it is asked to end, so that it removes its
// lock files.
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.root
	cmd.Env = environ(r)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// environ is the process's environment with git's own variables made absolute,
// since git runs in the top folder and not where we were started, and with git's
// messages in English, since some of them are looked at.
func environ(r *Repo) []string {
	env := append(os.Environ(), "LANGUAGE=C")
	if os.Getenv("GIT_DIR") != "" || os.Getenv("GIT_WORK_TREE") != "" {
		env = append(env, "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.root)
	}
	if os.Getenv("GIT_COMMON_DIR") != "" {
		env = append(env, "GIT_COMMON_DIR="+r.commonDir)
	}
	if os.Getenv("GIT_INDEX_FILE") != "" {
		env = append(env, "GIT_INDEX_FILE="+r.Index().indexFile())
	}
	return env
}

// exitError is git's refusal: what it said and the code it left with.
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

func output(cmd *exec.Cmd, stdin []byte) ([]byte, error) {
	var out, said bytes.Buffer
	verb := verbOf(cmd.Args[1:])
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && cmd.ProcessState.Exited() {
		return nil, fault.New(fault.Failed, "%w", &exitError{verb, strings.TrimSpace(said.String()), exit.ExitCode()})
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, noGit()
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "git %s: %w", verb, err)
	}
	return out.Bytes(), nil
}

func noGit() error {
	return fault.New(fault.Failed, "git is not installed, or not on the PATH").WithHint("install git, or put its folder on the PATH")
}

// verbOf is the first argument that is no option of git itself.
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

// exitCode is the code git left with; 0 where err is no refusal of git's.
func ExitCode(err error) int {
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return 0
}

// Init makes a repository in dir, or finds the one that is there already.
func Init(ctx context.Context, dir string) (*Repo, error) {
	if err := checkRelease(ctx); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "git", "init", "--quiet", "--", dir)
	if _, err := output(cmd, nil); err != nil {
		return nil, err
	}
	return Open(dir)
}

// Editor is the command that edits a text for the user, as git finds it; a shell
// reads it.
func (c Config) Editor(ctx context.Context) (string, error) {
	out, err := c.repo.Git(ctx, nil, "var", "GIT_EDITOR")
	return strings.TrimSpace(string(out)), err
}

// Run runs git in the working tree's top folder, as a person would type it, and
// gives what it printed.
func (r *Repo) Run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.root
	if r.noFetch {
		cmd.Env = append(cmd.Environ(), noFetch...)
	}
	return output(cmd, nil)
}

// inGit is how git is asked here: what a configuration wants to be warned of, or does
// to be faster, is not wanted.
var inGit = []string{"-c", "core.safecrlf=false", "-c", "core.fsmonitor=false",
	"-c", "advice.addEmbeddedRepo=false", "-c", "advice.addIgnoredFile=false"}

// aside runs git with an index of its own, "" for none, and in a way that what it
// stores survives a power cut: a file is changed when its snapshot is safe.
func (r *Repo) Aside(ctx context.Context, index string, stdin []byte, args ...string) ([]byte, error) {
	durable, err := r.Durable(ctx)
	if err != nil {
		return nil, err
	}
	if durable != nil {
		durable = append(durable, "-c", "core.fsyncMethod=batch") // one round for many objects, where git can
	}
	none, err := r.Hooks().withoutHooks(ctx)
	if err != nil {
		return nil, err
	}
	cmd := r.command(ctx, slices.Concat(inGit, none, durable, args)...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_LITERAL_PATHSPECS=0", "GIT_OPTIONAL_LOCKS=0")
	if index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	}
	return output(cmd, stdin)
}

// noFetch is the environment in which git refuses to fetch what a partial clone lacks; the
// second for git before 2.45.
var noFetch = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// Oldest is the oldest git that ckpt works with.
const Oldest = "2.34"

// release is the version of a git binary. The zero value is an unknown one.
type release struct {
	name         string // "2.39.5 (Apple Git-154)"
	major, minor int
}

func parseRelease(out []byte) (v release) {
	v.name = strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	if _, err := fmt.Sscanf(v.name, "%d.%d", &v.major, &v.minor); err != nil {
		v.major, v.minor = 0, 0
	}
	return v
}

// before reports whether v is older than a release. An unknown one is not: whoever
// builds a git without a number has a new one.
func (v release) before(major, minor int) bool {
	return v.major > 0 && (v.major < major || v.major == major && v.minor < minor)
}

// check returns fault.Unsupported where v is too old for ckpt.
func (v release) check(path string) error {
	if !v.before(2, 34) {
		return nil
	}
	return fault.New(fault.Unsupported, "git %s is too old: ckpt needs git %s or newer", v.name, Oldest).
		WithHint("install a newer git, or put its folder first in PATH (this one is %s)", path)
}

// Version returns the version of the git binary in PATH; it runs git once.
func Version(ctx context.Context) (string, error) {
	v, err := askRelease(ctx)
	return v.name, err
}

func askRelease(ctx context.Context) (release, error) {
	out, err := output(exec.CommandContext(ctx, "git", "version"), nil)
	return parseRelease(out), err
}

// checkRelease is check for the git in PATH, without a repository.
func checkRelease(ctx context.Context) error {
	path, err := exec.LookPath("git")
	if err != nil {
		return noGit()
	}
	v, err := askRelease(ctx)
	if err != nil {
		return err
	}
	return v.check(path)
}

// releaseAge is how long the version of a git is believed: what is in PATH may be a
// script that starts one of several.
const releaseAge = 24 * time.Hour

// program is what is known of the git binary that a repository uses.
type program struct {
	lock    sync.Mutex // git is run by several goroutines
	release release    // zero until it is needed
}

// gitRelease returns the version of the git binary, fault.Unsupported for one that is
// too old. Asking git takes a process, about half of what a small commit takes, so the
// answer is kept in <gitdir>/ckpt/git beside what shows that the binary has changed.
func (r *Repo) gitRelease(ctx context.Context) (release, error) {
	r.program.lock.Lock()
	defer r.program.lock.Unlock()
	if r.program.release.name != "" {
		return r.program.release, nil
	}
	path, err := exec.LookPath("git")
	if err != nil {
		return release{}, noGit()
	}
	now, _ := state(path)
	known, stamp := releaseCache(r), path+"\x00"+now+"\x00"
	if disk.ClaimedSince(known, releaseAge, time.Now()) {
		data, _ := disk.Bytes(known) // a file that cannot be read knows nothing
		if name, ok := strings.CutPrefix(string(data), stamp); ok {
			if v := parseRelease([]byte(name)); v.check(path) == nil {
				r.program.release = v
				return v, nil
			}
		}
	}
	v, err := askRelease(ctx)
	if err != nil {
		return release{}, err
	}
	if err := v.check(path); err != nil {
		return release{}, err
	}
	replaceCache(known, stamp+v.name)
	r.program.release = v
	return v, nil
}

func releaseCache(r *Repo) string { return filepath.Join(r.gitDir, "ckpt", "git") }

// Version returns the version of the git binary that this repository uses.
func (r *Repo) Version(ctx context.Context) (string, error) {
	v, err := r.gitRelease(ctx)
	return v.name, err
}
