package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"example.com/ckpt/internal/fault"
)

// Hooks finds the hooks that git runs around a commit, and runs them.
type Hooks struct{ repo *Repo }

// Hooks returns the hooks of the repository.
func (r *Repo) Hooks() Hooks { return Hooks{repo: r} }

// CleanMessage does what `git commit -m` does to a message: it removes blanks at line ends and
// empty lines at both ends, leaves one empty line at most in between, and ends with a line
// break.
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

// subject returns the first paragraph of a message in one line.
func subject(message string) string {
	first, _, _ := strings.Cut(message, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// hookNames returns the hooks that git runs around a commit, in its order.
func hookNames() []string {
	return []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change",
		"reference-transaction"}
}

// Names returns the names of the hooks around a commit that git would run here.
func (h Hooks) Names(ctx context.Context) ([]string, error) {
	var found []string
	for _, name := range hookNames() {
		path, err := h.hook(ctx, name)
		if err != nil {
			return nil, err
		}
		if path != "" {
			found = append(found, name)
		}
		configured, err := h.configHooks(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, hook := range configured {
			found = append(found, name+" (git config hook."+hook+")")
		}
	}
	return found, nil
}

// hook returns the hook's file if git would run it, else "".
func (h Hooks) hook(ctx context.Context, name string) (string, error) {
	dir, _, err := h.Dir(ctx)
	if err != nil {
		return "", err
	}
	names := []string{name}
	if runtime.GOOS == "windows" {
		names = append(names, name+".exe")
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil || info.IsDir() {
			continue
		}
		if info.Mode()&0o111 != 0 || runtime.GOOS == "windows" { // Windows has no such modes
			return path, nil
		}
	}
	return "", nil
}

// checkMessage runs the user's commit-msg hook, which may change the message or refuse it:
// fault.Refused with what the hook printed. ckpt.hooks=none skips it.
func (h Hooks) checkMessage(ctx context.Context, message string) (string, error) {
	message = CleanMessage(message)
	if message == "" {
		return "", fault.New(fault.Refused, "commit: the message is empty")
	}
	mode, err := h.mode(ctx)
	if err != nil || mode == hooksNone {
		return message, err
	}
	if has, err := h.hasHook(ctx, "commit-msg"); err != nil || !has {
		return message, err
	}
	// Not COMMIT_EDITMSG itself: the user may be editing that one right now.
	file := filepath.Join(h.repo.gitDir, "ckpt", "COMMIT_EDITMSG")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", fault.New(fault.Failed, "run hook commit-msg: %w", err)
	}
	if err := os.WriteFile(file, []byte(message), 0o666); err != nil {
		return "", fault.New(fault.Failed, "run hook commit-msg: %w", err)
	}
	defer os.Remove(file)
	if err := h.runHooks(ctx, "commit-msg", h.repo.Index().indexFile(), file); err != nil {
		return "", err
	}
	changed, err := os.ReadFile(file)
	if err != nil {
		return "", fault.New(fault.Failed, "run hook commit-msg: %w", err)
	}
	message = CleanMessage(string(changed))
	if message == "" {
		return "", fault.New(fault.Refused, "the hook commit-msg left no message")
	}
	return message, nil
}

// runHook runs a hook as git does: in the top folder, without an editor.
func (h Hooks) runHook(ctx context.Context, hook, index string, args ...string) error {
	cmd := exec.CommandContext(ctx, hook, args...)
	if runtime.GOOS == "windows" {
		cmd = hookByGit(ctx, hook, args...)
	}
	said, err := h.asHook(cmd, index)
	if errors.Is(err, syscall.ENOEXEC) { // no #! line: a shell reads it, as with git
		said, err = h.asHook(exec.CommandContext(ctx, "sh", append([]string{hook}, args...)...), index)
	}
	return hookFault(strings.TrimSuffix(filepath.Base(hook), ".exe"), said, err)
}

// asHook runs cmd with the folder and environment of a hook, and returns what it printed.
func (h Hooks) asHook(cmd *exec.Cmd, index string) (said []byte, err error) {
	cmd.Dir = h.repo.root
	cmd.Env = append(os.Environ(), "GIT_EDITOR=:", "GIT_INDEX_FILE="+index)
	if h.repo.gitDir != h.repo.commonDir || os.Getenv("GIT_DIR") != "" {
		cmd.Env = append(cmd.Env, "GIT_DIR="+h.repo.gitDir)
	}
	return cmd.CombinedOutput()
}

// hookFault returns the error for a hook that printed this and ended with err.
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

// hookByGit returns a command that has git run the hook, as one of its aliases: Windows
// cannot start a script, and the shell of Git for Windows need not be in PATH.
func hookByGit(ctx context.Context, hook string, args ...string) *exec.Cmd {
	alias := []string{"-c", `alias.ckpt-hook=!f() { "$@"; }; f`, "ckpt-hook", filepath.ToSlash(hook)}
	return exec.CommandContext(ctx, "git", append(alias, args...)...)
}

// Git 2.54 and later run hooks that the configuration names, before the one in the
// folder of hooks: hook.NAME.event tells when, hook.NAME.command what, and
// hook.NAME.enabled whether.

// isHookEvent reports whether a key of the configuration is a hook.NAME.event, of which
// all values count: a config joins them by line breaks.
func isHookEvent(key string) bool {
	return strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".event")
}

func isHookEnabled(key string) bool {
	return strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".enabled")
}

// joinEvents adds a value of hook.NAME.event to those before it; an empty one clears them.
func joinEvents(events, value string) string {
	if value == "" || events == "" {
		return value
	}
	return events + "\n" + value
}

// configHooks returns the names of the hooks that the configuration has for an event, sorted;
// for "" those for any. There are none if this git does not run them.
func (h Hooks) configHooks(ctx context.Context, event string) ([]string, error) {
	if _, _, err := h.repo.Config().Get(ctx, "core.hookspath"); err != nil { // so that the configuration is read
		return nil, err
	}
	var names []string
	for key, events := range h.repo.conf.values {
		wanted := event == "" || slices.Contains(strings.Split(events, "\n"), event)
		if !isHookEvent(key) || events == "" || !wanted {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, "hook."), ".event")
		if enabled, set := h.repo.conf.values["hook."+name+".enabled"]; !set || truth(enabled) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	slices.Sort(names)
	if has, err := h.Configurable(ctx); err != nil || !has {
		return nil, err
	}
	return names, nil
}

// hasHook reports whether git would run a hook for an event: one of the configuration
// or one in the folder of hooks.
func (h Hooks) hasHook(ctx context.Context, event string) (bool, error) {
	names, err := h.configHooks(ctx, event)
	if err != nil || len(names) > 0 {
		return len(names) > 0, err
	}
	path, err := h.hook(ctx, event)
	return path != "", err
}

// withoutHooks returns the options that keep a git process from running hooks around a
// commit.
func (h Hooks) withoutHooks(ctx context.Context) ([]string, error) {
	options := []string{"-c", "core.hooksPath=" + os.DevNull}
	names, err := h.configHooks(ctx, "")
	for _, name := range names {
		options = append(options, "-c", "hook."+name+".enabled=false")
	}
	return options, err
}

// gitForCommit runs git for a step of a commit: hooks run with ckpt.hooks=all only.
func (h Hooks) gitForCommit(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	mode, err := h.mode(ctx)
	if err != nil {
		return nil, err
	}
	if mode != hooksAll {
		none, err := h.withoutHooks(ctx)
		if err != nil {
			return nil, err
		}
		args = append(none, args...)
	}
	return h.repo.Git(ctx, stdin, args...)
}

// runHooks runs the hooks of an event, those of the configuration and then the one in
// the folder.
func (h Hooks) runHooks(ctx context.Context, event, index string, args ...string) error {
	names, err := h.configHooks(ctx, event)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		all := slices.Concat([]string{"hook", "run", "--ignore-missing", event, "--"}, args)
		said, err := h.asHook(exec.CommandContext(ctx, "git", all...), index)
		return hookFault(event, said, err)
	}
	hook, err := h.hook(ctx, event)
	if err != nil || hook == "" {
		return err
	}
	return h.runHook(ctx, hook, index, args...)
}

// Dir returns the folder in which git looks for hooks, absolute, and whether core.hooksPath
// names it. All worktrees share it.
func (h Hooks) Dir(ctx context.Context) (dir string, configured bool, err error) {
	set, ok, err := h.repo.Config().Get(ctx, "core.hookspath")
	if err != nil || !ok {
		return filepath.Join(h.repo.commonDir, "hooks"), false, err
	}
	return fromHome(h.repo.root, set), true, nil
}

// Configurable reports whether this git runs hooks that its configuration names, beside those
// in the folder: 2.54 and later do.
func (h Hooks) Configurable(ctx context.Context) (bool, error) {
	v, err := h.repo.gitRelease(ctx)
	return err == nil && v.major > 0 && !v.before(2, 54), err // unknown: the folder works everywhere
}
