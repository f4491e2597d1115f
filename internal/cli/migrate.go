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
		Short: "Keep the files of checkpoints off the branches, or on them",
		Long: `The checkpoints are on refs/ckpt/checkpoints in every commit mode. migrate changes what
is published of them.

--to ref: nothing. One commit takes the files off this branch and writes commit: ref to
config.yaml; from then on they are in .ckpt/, which git ignores. Branches that were made
before still have their files: migrate --to ref on each takes over what they have gained,
and takes them off. A file in checkpoints/ that the ref does not have stays, and is named.

--to own: one commit puts the files on this branch, and writes commit: own.

No commit and no checkpoint is deleted. --dry-run says what would happen.`,
		Example: "  ckpt migrate --to ref --dry-run\n  ckpt migrate --to ref\n  ckpt migrate --to own",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			if to == "" {
				return fault.New(fault.Usage, "--to is missing: ref or own").WithHint("ckpt migrate --help")
			}
			return answer(env, "migration", output.Migration)(migrate.Run(c.ctx, c.project, policy.Commit(to)))
		}),
	}
	choose(cmd, &to, "to", "where the checkpoints are to be: `MODE` is ref or own", "ref", "own")
	return cmd
}
