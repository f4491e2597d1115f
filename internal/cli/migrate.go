package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/migrate"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/policy"
)

func newMigrate(env *Env) *cobra.Command {
	var req migrate.Request
	var to string
	cmd := &cobra.Command{
		Use:   "migrate --to ref|own",
		Short: "Move the checkpoints to a ref of their own, or back",
		Long: `--to ref repeats every commit of all branches that changed checkpoints on
refs/ckpt/checkpoints, with author, dates and message, so that everybody who migrates
the same history gets the same commits. Branches are merged by id. One commit on this
branch then takes the files off it and writes commit: ref to config.yaml; the files stay
in the working tree, edits included, and git ignores them.

Branches that were made before still have their files. ckpt doctor names those that have
got something since, and ckpt migrate --to ref takes it over.

--to own puts the files of the ref on this branch in one commit; --with-history makes that
commit a merge with the ref. The ref stays as refs/ckpt/old/TIME.

No commit and no checkpoint is deleted. --dry-run says what would happen.`,
		Example: "  ckpt migrate --to ref --dry-run\n  ckpt migrate --to ref\n  ckpt migrate --to own --with-history",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if to == "" {
				return fault.New(fault.Usage, "--to is missing: ref or own").WithHint("ckpt migrate --help")
			}
			req.To = policy.Commit(to)
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			return answer(env, "migration", output.Migration)(migrate.New(p).Migrate(cmd.Context(), req))
		},
	}
	choose(cmd, &to, "to", "where the checkpoints are to be: `MODE` is ref or own", "ref", "own")
	cmd.Flags().BoolVar(&req.WithHistory, "with-history", false,
		"with --to own: the history of the ref is the branch's, too")
	return cmd
}
