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
		Long: `Trust this clone: sessions of agents that are set up begin with the brief.

A model reads a checkpoint as if its user had said it, but anybody who can push may have
written the checkpoints of a clone. So in a new clone a session begins with one line that
names their authors, and no hook shows their text, until you run ckpt trust there or any
command of ckpt that changes something. ckpt resume prints the brief in any case.

Your decision is stored in .git/ckpt, for this clone and its worktrees. docs/trust.md
describes how to trust all your own clones at once.`,
		Example: `  ckpt trust
  ckpt trust --off
  git config --global --add ckpt.trust 'git@github.com:ME/*'`,
		Args: atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			return env.receipt(hooks.New(c.project).Trust(c.ctx, off))
		}),
	}
	cmd.Flags().BoolVar(&off, "off", false, "do not trust it any more, whatever git config and the environment say")
	return cmd
}
