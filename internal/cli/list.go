package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
)

func newList(env *Env) *cobra.Command {
	var req query.ListRequest
	var all bool
	cmd := &cobra.Command{
		Use:        "list",
		SuggestFor: []string{"ls", "ls-files"},
		Short:      "List checkpoints, the last changed first",
		Long: `List checkpoints, the last changed first. The last change is the newest of three: the last
delta, the last commit that touched the file, and an uncommitted edit. The checkpoints of
the branch that is checked out come first: those that were last made current on it, or
were begun on it.`,
		Example: "  ckpt list\n  ckpt list --all --limit 20\n  ckpt list --workflow ship --json\n" +
			"  ckpt list --archived --since 2026-01-01",
		Args: atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			if all {
				req.Active, req.Archived = true, true
			}
			if err := targetExists(c, env.target); err != nil {
				return err
			}
			return answer(env, "list", output.List)(query.New(c.project).List(c.ctx, req))
		}),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&req.Active, "active", false, "those in active/ (the default)")
	f.BoolVar(&req.Archived, "archived", false, "those in archive/")
	f.BoolVar(&all, "all", false, "both")
	filterFlags(cmd, &req.Of, "only those")
	f.Var(moment{env, &req.Since}, "since", "only those changed since `TIME`: 2026-01-02, or an age: 12h, 30d, 2w")
	limitFlag(cmd, &req.Limit, "at most `N`")
	return cmd
}
