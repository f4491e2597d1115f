package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/resolve"
)

func newResolve(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "resolve [ID]...",
		SuggestFor: []string{"merge", "mergetool"},
		Short:      "Settle what a merge has left in conflict",
		Long: `Settle what git merge, rebase, cherry-pick or stash pop left in the checkpoints folder.
The versions of both sides are merged again, by id and section by section: decisions,
deltas and learnings of both sides stay. What you have resolved by hand is kept: if it
lacks a decision or a delta of either side it is left to you, until you git add it as it
is.

A checkpoint that one side archived and the other went on with is archived, with what the
other added; one that one side deleted and the other changed stays. If both sides marked a
checkpoint current, ours wins (ckpt use ID takes another one).

If both sides replaced a text, such as Current State, that of the later delta stands, and
the other is kept word for word below its own delta. ckpt edit puts in what else you need.

During a merge the result is staged, and rides with your own commit; afterwards resolve is
a commit like any other. A file that cannot be read, or is not Markdown, is left to you,
and is named: exit 4. ckpt setup git lets git merge so by itself, as far as one file goes.`,
		Example: "  ckpt resolve --dry-run\n  ckpt resolve && git commit",
		RunE: env.open(func(c call) error {
			receipt, err := resolve.Run(c.ctx, c.project, c.args)
			if err != nil {
				return err
			}
			return exits(env.receipt(receipt, nil), receipt.Resolution.Left() > 0, fault.Invalid)
		}),
		ValidArgsFunction: completer{env}.all,
	}
}
