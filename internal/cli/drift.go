package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
)

func newDrift(env *Env) *cobra.Command {
	var prune bool
	cmd := &cobra.Command{
		Use:        "drift [ID]",
		SuggestFor: []string{"stale", "refs"},
		Short:      "What has become of the files that a checkpoint names",
		Long: `Look up every path that breadcrumbs, artifact rows and open next actions name, and say
what git knows of it:

  ok             it is there
  changed        in so many commits since the checkpoint was written
  moved          to another name, as git detects renames
  deleted        in a commit, or not committed yet
  never existed  in no commit that HEAD has grown from
  ignored        git is told not to look
  unknown        it cannot be told here: in a submodule, behind the end of a shallow clone

Web addresses and paths outside the repository are not looked at. Nothing is fetched.

--prune strikes the references of breadcrumbs through that lead nowhere, and writes
behind them where they went. It takes nothing out. Exit code 0 whatever is found.`,
		Example: "  ckpt drift\n  ckpt drift auth --json\n  ckpt drift --prune --dry-run",
		Args:    atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			if prune {
				return env.receipt(query.New(c.project).Prune(c.ctx, c.id()))
			}
			return answer(env, "drift", output.Drift)(query.New(c.project).Drift(c.ctx, c.id()))
		}),
		ValidArgsFunction: completer{env}.active,
	}
	cmd.Flags().BoolVar(&prune, "prune", false, "strike stale breadcrumbs through")
	return cmd
}
