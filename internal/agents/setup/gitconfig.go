package setup

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/fault"
)

// Git 2.54 and later run hooks that the clone's configuration names, beside those in
// the folder of hooks: nobody's file is touched, and no other tool is in the way.

func hookKey(e settings.GitEvent, what string) string { return "hook.ckpt-" + string(e) + "." + what }

// configured is what git is to run; it adds the hook's arguments.
func configured(e settings.GitEvent) string {
	return "command -v ckpt >/dev/null 2>&1 || exit 0; ckpt hook git " + string(e)
}

// setting is a key of the clone's configuration and its value.
type setting struct{ key, value string }

// hookSettings name the hooks.
func hookSettings(wanted []settings.GitEvent) []setting {
	var all []setting
	for _, e := range wanted {
		all = append(all, setting{hookKey(e, "event"), string(e)}, setting{hookKey(e, "command"), configured(e)})
	}
	return all
}

// configure makes the clone's configuration say all of it, and gives what it did not
// say before.
func (g *gitHooks) configure(ctx context.Context, wanted []setting) ([]setting, error) {
	var fresh []setting
	for _, s := range wanted {
		out, err := g.Repo.Run(ctx, "config", "--local", "--get", s.key)
		if err == nil && strings.TrimSpace(string(out)) == s.value {
			continue
		}
		if fresh = append(fresh, s); g.DryRun {
			continue
		}
		if _, err := g.Repo.Run(ctx, "config", "--local", s.key, s.value); err != nil {
			return nil, fault.New(fault.Failed, "git config %s: %w", s.key, err)
		}
	}
	return fresh, nil
}

// unconfigure takes the names out, and says how many there were.
func (g *gitHooks) unconfigure(ctx context.Context) (int, error) {
	named := map[string]string{driverSection: driverKey} // by section: the key that tells that it is ours
	for _, e := range settings.GitEvents {
		named["hook.ckpt-"+string(e)] = hookKey(e, "command")
	}
	n := 0
	for _, section := range slices.Sorted(maps.Keys(named)) {
		out, err := g.Repo.Run(ctx, "config", "--local", "--get", named[section])
		if err != nil || !strings.Contains(string(out), "ckpt ") {
			continue // it is not there
		}
		n++
		if g.DryRun {
			continue
		}
		if _, err := g.Repo.Run(ctx, "config", "--local", "--remove-section", section); err != nil {
			return n, fault.New(fault.Failed, "git config --remove-section %s: %w", section, err)
		}
	}
	return n, nil
}
