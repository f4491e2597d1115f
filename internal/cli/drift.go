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
		Short:      "Show what became of the files that a checkpoint names",
		Long: `Check every path that breadcrumbs, artifacts and open next actions name, and show what
git knows about it:

  ok             the file exists
  changed        by so many commits since the checkpoint was written
  moved          to another name, as git detects renames
  deleted        by a commit, or not committed yet
  never existed  not in the history of HEAD
  ignored        git ignores the path
  unknown        git cannot tell: in a submodule, or before the end of a shallow clone

URLs and paths outside the repository are skipped. Nothing is fetched.

--prune strikes through the breadcrumbs whose files are gone, and adds where they went.
It removes no text. The exit code is always 0.`,
		Example: "  ckpt drift\n  ckpt drift auth --json\n  ckpt drift --prune --dry-run",
		Args:    atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			if prune {
				return env.receipt(query.New(c.project).Prune(c.ctx, c.id))
			}
			return answer(env, "drift", output.Drift)(query.New(c.project).Drift(c.ctx, c.id))
		}),
		ValidArgsFunction: completer{env}.active,
	}
	cmd.Flags().BoolVar(&prune, "prune", false, "strike stale breadcrumbs through")
	return cmd
}
