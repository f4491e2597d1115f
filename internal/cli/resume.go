package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newResume(env *Env) *cobra.Command {
	var recover bool
	cmd := &cobra.Command{
		Use:        "resume [ID]",
		SuggestFor: []string{"prime", "brief", "load", "continue"},
		Short:      "Print the brief: all that is needed to go on",
		Long: `Print what whoever goes on must read: the next action, the problem, the intent, live
decisions, state, next actions and rules, word for word; then context, what was
done and which files were touched, newest first; then learnings.

Without a current checkpoint it prints nothing and exits 0; a current one that
cannot be read is an error (exit 4); with --recover the last version in history that
can be read stands in for it, else its parent, and the brief says so.`,
		Example: "  ckpt resume\n  ckpt resume auth --json",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			brief, err := p.Resume(cmd.Context(), firstArg(args), recover)
			if err != nil {
				return err
			}
			if brief == nil && !env.quiet {
				remark, err := p.Candidates(cmd.Context())
				if err != nil {
					return err
				}
				fmt.Fprintf(env.Streams.Err, "ckpt: %s\n", remark)
			}
			return env.Present().Brief(brief)
		},
		ValidArgsFunction: env.completeActive,
	}
	cmd.Flags().BoolVar(&recover, "recover", false, "where the file cannot be read, take its last good version, else its parent")
	return cmd
}
