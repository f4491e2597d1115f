package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/resume"
)

func newRehearse(env *Env) *cobra.Command {
	var flags limitFlags
	cmd := &cobra.Command{
		Use:        "rehearse [ID]",
		SuggestFor: []string{"quiz", "test"},
		Short:      "Try whether the brief alone is enough to go on",
		Long: `Ask what whoever goes on has to know, and look whether the brief answers it: what is
next, what was decided and why, what the state is, what must never be done, which file
holds what. The questions come from the checkpoint, the answers from the brief alone,
and only a passage that holds the whole answer counts.

--budget, --bytes and --for bound the brief as they do for ckpt resume. What could not be
answered is listed, and so are next actions that are vague and decisions without a why.
It informs: the exit code is 0 whatever the score.`,
		Example: "  ckpt rehearse\n  ckpt rehearse auth --budget 1000\n  ckpt rehearse --for claude --json",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			r, err := resume.New(p).Rehearse(cmd.Context(), firstArg(args), flags.limit())
			if err != nil {
				return err
			}
			if r == nil {
				if err := env.nothingCurrent(cmd.Context(), p, progress.Filter{}); err != nil {
					return err
				}
			}
			return printAnswer(env, "rehearsal", r, output.Rehearsal)
		},
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().SortFlags = false
	flags.add(cmd, "with a brief of at most")
	return cmd
}
