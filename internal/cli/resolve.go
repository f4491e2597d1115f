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
		Short:      "Resolve the conflicts that a merge left",
		Long: `Resolve the conflicts that git merge, rebase, cherry-pick or stash pop left in the
checkpoints folder. The versions of both sides are merged again, by id and section by
section: decisions, deltas and learnings of both sides stay. Files that you have resolved
by hand are kept. If one lacks a decision or a delta of either side, it stays in conflict
until you git add it.

A checkpoint that one side archived and the other changed is archived, with the changes.
One that one side deleted and the other changed stays. If both sides marked a checkpoint
current, ours wins (override with ckpt use ID).

If both sides replaced a text, such as Current State, the text of the later delta is used.
The other is kept word for word below its own delta, and you can ckpt edit the result.
Of two branches of this clone, resolve takes the version that ckpt show has.

During a merge the result is staged for your own commit; afterwards resolve makes a
commit. Files that cannot be read or are not Markdown are named, and you resolve them:
exit 4. With ckpt setup git, git itself merges single files like this.`,
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
