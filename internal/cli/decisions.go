package cli

import (
	"time"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
)

func newDecisions(env *Env) *cobra.Command {
	var blame, verify bool
	var since time.Time
	cmd := &cobra.Command{
		Use:        "decisions [ID]",
		SuggestFor: []string{"decision", "blame", "why"},
		Short:      "List decisions (--blame: who made them; --verify: was one lost)",
		Long: `List the decisions of a checkpoint, superseded ones struck through.

--blame shows the commit that added each decision, even if it was reworded or the file has
moved since. --verify compares every version with the one before it. It exits 4 if a
decision was removed without being struck through, even if it was restored later, unless
ckpt undo or restore removed it. A reworded decision is not lost. One that was replaced by
another, or by its opposite, is.`,
		Example: "  ckpt decisions\n  ckpt decisions auth --blame\n" +
			"  ckpt decisions --verify --since 30d   # what was lost in 30 days",
		Args: atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			if blame && verify && !env.json {
				return fault.New(fault.Usage, "--blame and --verify are two answers").WithHint("give one of them; --json has both")
			}
			if !blame && !verify {
				return answer(env, "decisions", output.Decisions)(history.New(c.project).Decisions(c.ctx, c.id))
			}
			record, err := history.New(c.project).DecisionsMade(c.ctx, c.id, since)
			if err != nil {
				return err
			}
			if !verify {
				return printAnswer(env, "decisions", record, output.DecisionsBlame)
			}
			err = printAnswer(env, "decisions", output.Verified{Record: record}, output.DecisionsVerified)
			return exits(err, record.Lost() > 0, fault.Invalid)
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().BoolVar(&blame, "blame", false, "show the commit, the day and the author of each")
	cmd.Flags().BoolVar(&verify, "verify", false, "fail if a decision ever vanished")
	cmd.Flags().Var(moment{env, &since}, "since", "only what was lost since `TIME`: 2026-01-02, or an age: 12h, 30d, 2w")
	needs(cmd, "since", "verify")
	return cmd
}
