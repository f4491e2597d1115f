package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
)

func newFold(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "fold [ID]",
		SuggestFor: []string{"compress", "squash", "compact", "merge"},
		Short:      "Take the deltas into the body, where each belongs",
		Long: `Take the deltas of a checkpoint into its body, so that the file says how things are
and no longer how they came to be.

Artifacts are merged by path, the last mention wins. What changed becomes
Play-By-Play, with the status that each item ended in; the newest 10 entries stay
as they are, of older ones the first part stays. Breadcrumbs join the others.

Problem, intent, decisions, state, next actions and rules are not touched, nor is
any section that only you know: one that stands in a delta stays where it is, below
"From the delta of ...". What is taken out is in git's history. Where there is no
delta nothing changes.`,
		Example: "  ckpt fold --dry-run\n  ckpt fold auth",
		Args:    atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			return env.receipt(edit.New(c.project).Fold(c.ctx, c.id()))
		}),
		ValidArgsFunction: completer{env}.active,
	}
}
