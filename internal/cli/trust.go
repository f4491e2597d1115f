package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/hooks"
)

func newTrust(env *Env) *cobra.Command {
	var off bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Let agents' sessions begin with the checkpoints of this clone",
		Long: `Trust this clone: a session of an agent that is set up begins with the brief.

A model reads a checkpoint as if its user had said it, and a clone brings the checkpoints
of whoever pushed them. So in a new clone a session begins with one line that names their
authors, and no hook gives their text away, until you run ckpt trust there or any command
of ckpt that changes something. ckpt resume prints the brief in any case.

What you decide is kept in .git/ckpt, for this clone and its worktrees. Clones of your own
need no step: docs/trust.md.`,
		Example: `  ckpt trust
  ckpt trust --off
  git config --global --add ckpt.trust 'git@github.com:ME/*'`,
		Args: atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			return env.receipt(hooks.New(c.project).Trust(c.ctx, off))
		}),
	}
	cmd.Flags().BoolVar(&off, "off", false, "trust it no longer, whatever git config and the environment say")
	return cmd
}
