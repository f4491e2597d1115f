package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/doctor"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
)

func newDoctor(env *Env) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:        "doctor",
		SuggestFor: []string{"fsck", "repair", "fix"},
		Short:      "Check ckpt in this repository (--fix: fix problems)",
		Long: `Show where the checkpoints of this repository are and what makes the commits, and report
problems: leftovers of a crash, a lock that git left, checkpoints deleted by hand, operations
that cannot be published, files in conflict or that cannot be read, several checkpoints that
are marked current, errors of hooks. --fix fixes those that need no decision. The exit code
is 1 if problems are left.`,
		Example: "  ckpt doctor\n  ckpt doctor --fix",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			d, err := doctor.New(c.project).Check(c.ctx, fix)
			if err != nil {
				return err
			}
			return exits(printAnswer(env, "diagnosis", d, output.Diagnosis), d.Open() > 0, fault.Failed)
		}),
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "fix what can be fixed")
	return cmd
}
