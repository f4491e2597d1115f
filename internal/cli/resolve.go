package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/core/fault"
)

func newResolve(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "resolve [ID]...",
		SuggestFor: []string{"merge", "mergetool"},
		Short:      "Settle what a merge has left in conflict",
		Long: `Settle what git merge, rebase, cherry-pick or stash pop has left in the checkpoints folder.
Files in conflict are merged anew, section by section: both sides' decisions, deltas and
learnings stay. What a person has to choose stays in its section, between git's markers,
and is named with its line: exit 4. Edit it, and call resolve again.

A checkpoint that one side has archived and the other gone on with is archived, with what
the other has added; one that one side has deleted and the other changed stays. Of two
that are current that of our side stays, or the one that -c names; where the merge left
none, that of our side is current again.

While git is in the middle of it what is whole is staged, and rides with your own commit;
afterwards resolve is a commit like any other. What you have resolved by hand is taken as
it is, unless it lacks a decision or a delta of either side. ckpt setup git lets git do
all this while it merges, as far as one file shows it.`,
		Example: "  ckpt resolve --dry-run\n  ckpt resolve && git commit\n  ckpt resolve -c billing      # it stays current",
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			receipt, err := p.Resolve(cmd.Context(), args)
			if err != nil {
				return err
			}
			if err := env.Present().Receipt(receipt); err != nil {
				return err
			}
			if receipt.Resolution.Left() > 0 {
				return answered{fault.Invalid.ExitCode()}
			}
			return nil
		},
		ValidArgsFunction: env.completeAll,
	}
}
