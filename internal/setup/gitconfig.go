package setup

import (
	"context"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/hookfile"
	"example.com/ckpt/internal/core/report"
)

// Git 2.54 and later run hooks that the clone's configuration names, beside those in
// the folder of hooks: nobody's file is touched, and no other tool is in the way.

func hookKey(e hookfile.Event, what string) string { return "hook.ckpt-" + string(e) + "." + what }

// configured is what git is to run; it adds the hook's arguments.
func configured(e hookfile.Event) string {
	return "command -v ckpt >/dev/null 2>&1 || exit 0; ckpt hook git " + string(e)
}

// configure names the hooks in the clone's configuration.
func (g *gitHooks) configure(ctx context.Context, wanted []hookfile.Event) (*report.Receipt, error) {
	receipt := &report.Receipt{Op: "setup", Summary: "git", Unchanged: true}
	for _, e := range wanted {
		for _, setting := range [][2]string{{hookKey(e, "event"), string(e)}, {hookKey(e, "command"), configured(e)}} {
			out, err := g.Repo.Run(ctx, "config", "--local", "--get", setting[0])
			if err == nil && strings.TrimSpace(string(out)) == setting[1] {
				continue
			}
			receipt.Unchanged = false
			if g.DryRun {
				receipt.DryRun, receipt.Diff = true, receipt.Diff+setting[0]+" = "+setting[1]+"\n"
				continue
			}
			if _, err := g.Repo.Run(ctx, "config", "--local", setting[0], setting[1]); err != nil {
				return nil, fault.New(fault.Failed, "git config %s: %w", setting[0], err)
			}
		}
	}
	receipt.Pending = "named in this clone's git configuration"
	return receipt, nil
}

// unconfigure takes the names out, and says how many there were.
func (g *gitHooks) unconfigure(ctx context.Context) (int, error) {
	n := 0
	for _, e := range hookfile.Events {
		section := "hook.ckpt-" + string(e)
		if _, err := g.Repo.Run(ctx, "config", "--local", "--get", hookKey(e, "command")); err != nil {
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
