package cli

import (
	"github.com/spf13/cobra"
)

func newStatus(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Show what is being worked on: the current checkpoint first",
		Long:    "Show the active checkpoints, the current one first: problem, first next action, last\nchange, deltas, edits that are not committed. Two current ones are warned of.",
		Example: "  ckpt status\n  ckpt status --json",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			overview, err := p.Status(cmd.Context())
			if err != nil {
				return err
			}
			return env.Present().Status(overview)
		},
	}
}
