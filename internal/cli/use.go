package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
)

func newUse(env *Env) *cobra.Command {
	var none bool
	cmd := &cobra.Command{
		Use:        "use ID | - | --none",
		SuggestFor: []string{"switch", "checkout", "focus"},
		Short:      "Make a checkpoint the current one; - is the one before",
		Long: `Make a checkpoint current, and all others active. With commit: ref each worktree has a
current one of its own, and a new worktree or clone of the branch begins with this one.`,
		Example: "  ckpt use auth\n  ckpt use -\n  ckpt use --none",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if none == (len(args) == 1) {
				return fault.New(fault.Usage, "use takes one ID, or --none").WithHint("ckpt use ID")
			}
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			var receipt *result.Receipt
			if none {
				receipt, err = edit.New(p).UseNone(cmd.Context())
			} else {
				receipt, err = edit.New(p).Use(cmd.Context(), args[0])
			}
			return answer(env, "receipt", output.Receipt)(receipt, err)
		},
		ValidArgsFunction: completer{env}.active,
	}
	cmd.Flags().BoolVar(&none, "none", false, "leave no checkpoint current")
	return cmd
}
