package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"example.com/ckpt/internal/core/fault"
)

// git runs the git binary in this repository and returns what it printed. Paths
// among the arguments are taken by the letter, not as patterns.
func (r *Repo) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
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
func (r *Repo) gitGlob(ctx context.Context, args ...string) ([]byte, error) {
	return r.git(ctx, nil, append([]string{"--no-literal-pathspecs"}, args...)...)
}

// command is git with these arguments, in the top folder, with an environment
// that hooks may see. When ctx ends it is asked to end, so that it removes its
// lock files.
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.root
	cmd.Env = r.environ()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// environ is the process's environment with git's own variables made absolute,
// since git runs in the top folder and not where we were started, and with git's
// messages in English, since some of them are looked at.
func (r *Repo) environ() []string {
	env := append(os.Environ(), "LANGUAGE=C")
	if os.Getenv("GIT_DIR") != "" || os.Getenv("GIT_WORK_TREE") != "" {
		env = append(env, "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.root)
	}
	if os.Getenv("GIT_COMMON_DIR") != "" {
		env = append(env, "GIT_COMMON_DIR="+r.commonDir)
	}
	if os.Getenv("GIT_INDEX_FILE") != "" {
		env = append(env, "GIT_INDEX_FILE="+r.indexFile())
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
func exitCode(err error) int {
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
func (r *Repo) Editor(ctx context.Context) (string, error) {
	out, err := r.git(ctx, nil, "var", "GIT_EDITOR")
	return strings.TrimSpace(string(out)), err
}

// FileAt is the content of path (from the root) at rev, anything that git
// understands; fault.NotFound where there is no such file then.
func (r *Repo) FileAt(ctx context.Context, rev, path string) ([]byte, error) {
	out, err := r.git(ctx, nil, "cat-file", "blob", rev+":"+path)
	if exitCode(err) == 128 {
		return nil, fault.New(fault.NotFound, "no %q at %q", path, rev)
	}
	return out, err
}
