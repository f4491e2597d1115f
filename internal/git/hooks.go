package git

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Hooks finds the hooks that git runs around a commit, and runs git with or without them.
type Hooks struct{ repo *Repo }

// Hooks returns the hooks of the repository.
func (r *Repo) Hooks() Hooks { return Hooks{repo: r} }

// HookMode tells which of the user's hooks run: git config ckpt.hooks.
type HookMode string

const (
	HooksMessage HookMode = ""     // run only commit-msg, which may check messages
	HooksAll     HookMode = "all"  // run all hooks; git makes the commit
	HooksNone    HookMode = "none" // run no hooks
)

// Mode returns which hooks run. It returns fault.Invalid for a setting that ckpt does not know.
func (h Hooks) Mode(ctx context.Context) (HookMode, error) {
	value, err := h.repo.Config().Setting(ctx, "ckpt.hooks", "")
	mode := HookMode(value)
	switch mode {
	case HooksMessage, HooksAll, HooksNone:
		return mode, err
	}
	return "", fault.New(fault.Invalid, "git config ckpt.hooks: %q is neither all nor none", value).
		WithHint("git config --unset ckpt.hooks   (runs commit-msg only)")
}

// HookNames returns the names of the hooks that git runs around a commit.
func HookNames() []string {
	return []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change",
		"reference-transaction"}
}

// Names returns the names of the hooks around a commit that git would run here.
func (h Hooks) Names(ctx context.Context) ([]string, error) {
	var found []string
	for _, name := range HookNames() {
		path, err := h.File(ctx, name)
		if err != nil {
			return nil, err
		}
		if path != "" {
			found = append(found, name)
		}
		configured, err := h.Configured(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, hook := range configured {
			found = append(found, name+" (git config hook."+hook+")")
		}
	}
	return found, nil
}

// File returns the hook's file if git would run it, else "".
func (h Hooks) File(ctx context.Context, name string) (string, error) {
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
		if info.Mode()&0o111 != 0 || runtime.GOOS == "windows" { // Windows has no executable bits
			return path, nil
		}
	}
	return "", nil
}

// Git 2.54 and later run hooks from the configuration before the one in the folder of hooks: hook.NAME.event is the
// event, hook.NAME.command the command, and hook.NAME.enabled turns the hook on or off.

// isHookEvent reports whether a key of the configuration has the form hook.NAME.event. All values
// of such a key count: config joins them with line breaks.
func isHookEvent(key string) bool {
	return strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".event")
}

// joinEvents adds a value of hook.NAME.event to the previous values; an empty value clears them.
func joinEvents(events, value string) string {
	if value == "" || events == "" {
		return value
	}
	return events + "\n" + value
}

// Configured returns the sorted names of the hooks that the configuration has for an event, or for all events if event
// is "". It returns none if this version of git does not run hooks from the configuration.
func (h Hooks) Configured(ctx context.Context, event string) ([]string, error) {
	if _, _, err := h.repo.Config().Get(ctx, "core.hookspath"); err != nil { // reading any key loads the configuration
		return nil, err
	}
	var names []string
	for key, events := range h.repo.conf.values {
		wanted := event == "" || slices.Contains(strings.Split(events, "\n"), event)
		if !isHookEvent(key) || events == "" || !wanted {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, "hook."), ".event")
		if enabled, set := h.repo.conf.values["hook."+name+".enabled"]; !set || IsTrue(enabled) {
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

// Has reports whether git would run a hook for an event: one of the configuration
// or one in the folder of hooks.
func (h Hooks) Has(ctx context.Context, event string) (bool, error) {
	names, err := h.Configured(ctx, event)
	if err != nil || len(names) > 0 {
		return len(names) > 0, err
	}
	path, err := h.File(ctx, event)
	return path != "", err
}

// withoutHooks returns the options with which a git process runs no hooks around a commit.
func (h Hooks) withoutHooks(ctx context.Context) ([]string, error) {
	options := []string{"-c", "core.hooksPath=" + os.DevNull}
	names, err := h.Configured(ctx, "")
	for _, name := range names {
		options = append(options, "-c", "hook."+name+".enabled=false")
	}
	return options, err
}

// Git runs git for a step of a commit: hooks run only with ckpt.hooks=all.
func (h Hooks) Git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	mode, err := h.Mode(ctx)
	if err != nil {
		return nil, err
	}
	if mode != HooksAll {
		none, err := h.withoutHooks(ctx)
		if err != nil {
			return nil, err
		}
		args = append(none, args...)
	}
	return h.repo.Git(ctx, stdin, args...)
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

// Configurable reports whether this version of git also runs hooks from its configuration, as 2.54 and later do.
func (h Hooks) Configurable(ctx context.Context) (bool, error) {
	v, err := h.repo.gitRelease(ctx)
	// If the version is unknown, use only the folder, from which every version runs hooks.
	return err == nil && v.major > 0 && !v.before(2, 54), err
}
