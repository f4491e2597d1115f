package commit

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// CleanMessage cleans a message as `git commit -m` does: it removes blanks at line ends and empty
// lines at both ends, reduces several empty lines to one, and ends the message with a line break.
func CleanMessage(message string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(message, "\x00", ""), "\n") {
		line = strings.TrimRight(line, " \t\r\f\v")
		if line == "" && (len(lines) == 0 || lines[len(lines)-1] == "") {
			continue
		}
		lines = append(lines, line)
	}
	message = strings.TrimRight(strings.Join(lines, "\n"), "\n")
	if message == "" {
		return ""
	}
	return message + "\n"
}

// checkMessage runs the user's commit-msg hook on a message and returns the message that it leaves. The hook may refuse
// the message: then the error is fault.Refused, with the output of the hook. With ckpt.hooks=none no hook runs.
func (c Committer) checkMessage(ctx context.Context, message string) (string, error) {
	message = CleanMessage(message)
	if message == "" {
		return "", fault.New(fault.Refused, "commit: the message is empty")
	}
	mode, err := c.repo.Hooks().Mode(ctx)
	if err != nil || mode == git.HooksNone {
		return message, err
	}
	if has, err := c.repo.Hooks().Has(ctx, "commit-msg"); err != nil || !has {
		return message, err
	}
	return c.runMessageHooks(ctx, message, c.repo.Index().File(), "commit-msg")
}

// runMessageHooks runs the hooks of events on a message, and returns the message that they leave. The hooks use the
// given index. The message is in a temporary file, because the user may be editing COMMIT_EDITMSG at the same time.
func (c Committer) runMessageHooks(ctx context.Context, message, index string, events ...string) (string, error) {
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return "", fault.New(fault.Failed, "run hooks: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "COMMIT_EDITMSG")
	if err := os.WriteFile(file, []byte(message), 0o666); err != nil {
		return "", fault.New(fault.Failed, "run hooks: %w", err)
	}
	args := map[string][]string{"prepare-commit-msg": {file, "message"}, "commit-msg": {file}}
	for _, event := range events {
		if err := c.runHooks(ctx, event, index, args[event]...); err != nil {
			return "", err
		}
	}
	changed, err := os.ReadFile(file)
	if err != nil {
		return "", fault.New(fault.Failed, "run hooks: %w", err)
	}
	message = CleanMessage(string(changed))
	if message == "" {
		return "", fault.New(fault.Refused, "the hook %s left no message", events[len(events)-1])
	}
	return message, nil
}

// runHook runs a hook as git does: in the top folder, without an editor.
func (c Committer) runHook(ctx context.Context, hook, index string, args ...string) error {
	cmd := exec.CommandContext(ctx, hook, args...)
	if runtime.GOOS == "windows" {
		cmd = hookByGit(ctx, hook, args...)
	}
	said, err := c.asHook(cmd, index)
	if errors.Is(err, syscall.ENOEXEC) { // the script has no #! line: run it by a shell, as git does
		said, err = c.asHook(exec.CommandContext(ctx, "sh", append([]string{hook}, args...)...), index)
	}
	return hookFault(strings.TrimSuffix(filepath.Base(hook), ".exe"), said, err)
}

// asHook runs cmd with the folder and environment of a hook, and returns what it printed.
func (c Committer) asHook(cmd *exec.Cmd, index string) (said []byte, err error) {
	cmd.Dir = c.repo.Root()
	cmd.Env = append(os.Environ(), "GIT_EDITOR=:", "GIT_INDEX_FILE="+index, disk.HookOf+"="+strconv.Itoa(os.Getpid()))
	if c.repo.GitDir() != c.repo.CommonDir() || os.Getenv("GIT_DIR") != "" {
		cmd.Env = append(cmd.Env, "GIT_DIR="+c.repo.GitDir())
	}
	return cmd.CombinedOutput()
}

// hookFault returns the error for a hook that printed output and ended with err.
func hookFault(name string, said []byte, err error) error {
	if _, refused := errors.AsType[*exec.ExitError](err); refused {
		words := strings.TrimSpace(string(said))
		if words == "" {
			words = "it gave no reason"
		}
		return fault.New(fault.Refused, "the hook %s refused: %s", name, words).
			WithHint("git config ckpt.hooks none   (commits without hooks)")
	}
	if err != nil {
		return fault.New(fault.Failed, "run hook %s: %w", name, err)
	}
	return nil
}

// hookByGit returns a command that makes git run the hook, as an alias: Windows cannot start a
// script, and the shell of Git for Windows need not be in PATH.
func hookByGit(ctx context.Context, hook string, args ...string) *exec.Cmd {
	alias := []string{"-c", `alias.ckpt-hook=!f() { "$@"; }; f`, "ckpt-hook", filepath.ToSlash(hook)}
	return exec.CommandContext(ctx, "git", append(alias, args...)...)
}

// runHooks runs the hooks of an event: those of the configuration and then the one in the folder.
func (c Committer) runHooks(ctx context.Context, event, index string, args ...string) error {
	names, err := c.repo.Hooks().Configured(ctx, event)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		all := slices.Concat([]string{"hook", "run", "--ignore-missing", event, "--"}, args)
		said, err := c.asHook(exec.CommandContext(ctx, "git", all...), index)
		return hookFault(event, said, err)
	}
	hook, err := c.repo.Hooks().File(ctx, event)
	if err != nil || hook == "" {
		return err
	}
	return c.runHook(ctx, hook, index, args...)
}
