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
		Short:      "Report how ckpt works here, and problems (--fix: fix them)",
		Long: `Say who makes the commits in this repository and why, and name what is wrong:
leftovers of a crash, changes that no commit has, checkpoints that git has lost in a
merge, several checkpoints that are marked current, odd modes,
missing .gitkeep files. --fix fixes what needs no decision. Exit code 1 where something
is left.`,
		Example: "  ckpt doctor\n  ckpt doctor --fix",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			d, err := doctor.New(p).Check(cmd.Context(), fix)
			if err != nil {
				return err
			}
			return exits(printAnswer(env, "diagnosis", d, output.Diagnosis), d.Open() > 0, fault.Failed)
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "fix what can be fixed")
	return cmd
}
