package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
)

func newFold(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "fold [ID]",
		SuggestFor: []string{"compress", "squash", "compact", "merge"},
		Short:      "Merge the deltas into the sections of the body",
		Long: `Merge the deltas of a checkpoint into its body, so that the file describes the present
state and not how it came about.

Artifacts are merged by path; the last mention wins. What changed is added to
Play-By-Play, with the final status of each item. The newest 10 entries stay as they
are; older ones keep their first part. Breadcrumbs are added to the others.

Problem, intent, decisions, state, next actions and rules do not change, and neither do
sections that the format does not define: those in a delta stay in place, below "From the
delta of ...". The removed text is in git's history. Without a delta nothing changes.`,
		Example: "  ckpt fold --dry-run\n  ckpt fold auth",
		Args:    atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			return env.receipt(edit.New(c.project).Fold(c.ctx, c.id))
		}),
		ValidArgsFunction: completer{env}.active,
	}
}
