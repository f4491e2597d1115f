package git

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Git 2.54 and later run hooks that the configuration names, before the one in the
// folder of hooks: hook.NAME.event says when, hook.NAME.command what, and
// hook.NAME.enabled whether.

// isHookEvent reports whether a key of the configuration is a hook.NAME.event, of which
// all values count: a config joins them by line breaks.
func isHookEvent(key string) bool {
	return strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".event")
}

func isHookEnabled(key string) bool {
	return strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".enabled")
}

// joinEvents adds a value of hook.NAME.event to those before it, which an empty one
// takes back.
func joinEvents(events, value string) string {
	if value == "" || events == "" {
		return value
	}
	return events + "\n" + value
}

// configHooks returns the names of the hooks that the configuration has for an event,
// sorted; for "" those for any. None where this git does not run them.
func (r *Repo) configHooks(ctx context.Context, event string) ([]string, error) {
	if _, _, err := r.Config(ctx, "core.hookspath"); err != nil { // so that r.conf is there
		return nil, err
	}
	var names []string
	for key, events := range r.conf.values {
		if !isHookEvent(key) || events == "" || event != "" && !slices.Contains(strings.Split(events, "\n"), event) {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, "hook."), ".event")
		if enabled, set := r.conf.values["hook."+name+".enabled"]; !set || truth(enabled) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	slices.Sort(names)
	if has, err := r.ConfigHooks(ctx); err != nil || !has {
		return nil, err
	}
	return names, nil
}

// hasHook reports whether git would run a hook for an event: one of the configuration
// or one in the folder of hooks.
func (r *Repo) hasHook(ctx context.Context, event string) (bool, error) {
	names, err := r.configHooks(ctx, event)
	if err != nil || len(names) > 0 {
		return len(names) > 0, err
	}
	path, err := r.hook(ctx, event)
	return path != "", err
}

// withoutHooks returns the options that keep a git process from running hooks around a
// commit.
func (r *Repo) withoutHooks(ctx context.Context) ([]string, error) {
	options := []string{"-c", "core.hooksPath=" + os.DevNull}
	names, err := r.configHooks(ctx, "")
	for _, name := range names {
		options = append(options, "-c", "hook."+name+".enabled=false")
	}
	return options, err
}

// gitForCommit is git for a step of a commit: hooks run with ckpt.hooks=all only.
func (r *Repo) gitForCommit(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	mode, err := r.hookMode(ctx)
	if err != nil {
		return nil, err
	}
	if mode != hooksAll {
		none, err := r.withoutHooks(ctx)
		if err != nil {
			return nil, err
		}
		args = append(none, args...)
	}
	return r.git(ctx, stdin, args...)
}

// runHooks runs the hooks of an event, those of the configuration and then the one in
// the folder.
func (r *Repo) runHooks(ctx context.Context, event string, args ...string) error {
	names, err := r.configHooks(ctx, event)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		all := slices.Concat([]string{"hook", "run", "--ignore-missing", event, "--"}, args)
		said, err := r.asHook(exec.CommandContext(ctx, "git", all...))
		return hookFault(event, said, err)
	}
	hook, err := r.hook(ctx, event)
	if err != nil || hook == "" {
		return err
	}
	return r.runHook(ctx, hook, args...)
}
