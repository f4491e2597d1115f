package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/migrate"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/policy"
)

func newMigrate(env *Env) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "migrate --to ref|own",
		Short: "Remove the checkpoint files from branches, or add them",
		Long: `The checkpoints are on refs/ckpt/checkpoints in every commit mode. migrate changes what
is published of them.

--to ref: nothing. One commit removes the files from this branch and writes commit: ref to
config.yaml; from then on they are in .ckpt/, which git ignores. Older branches still have
their files: run migrate --to ref on each, which takes over their changes and removes the
files. A file in checkpoints/ that the ref does not have stays, and is named.

--to own: one commit adds the files to this branch, and writes commit: own.

No commit and no checkpoint is deleted. --dry-run shows what would happen.`,
		Example: "  ckpt migrate --to ref --dry-run\n  ckpt migrate --to ref\n  ckpt migrate --to own",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			if to == "" {
				return fault.New(fault.Usage, "--to is missing: ref or own").WithHint("ckpt migrate --to ref")
			}
			return answer(env, "migration", output.Migration)(migrate.Run(c.ctx, c.project, policy.Commit(to)))
		}),
	}
	choose(cmd, &to, "to", "where the checkpoints are to be: `MODE` is ref or own", "ref", "own")
	return cmd
}
