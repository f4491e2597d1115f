package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/explore"
)

func newMark(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "mark GOAL",
		SuggestFor: []string{"explore", "checkpoint", "investigate"},
		Short:      "Begin an exploration: notes go to a scratch until rewind",
		Long: `Begin an exploration in the current checkpoint, before many reads and searches of which
only the answer is worth keeping. Until ckpt rewind ends it, ckpt note writes to a
scratch, and an agent whose hooks are set up is reminded before it stops. There is one
at a time. Nothing is taken out of an agent's own context: it is the
checkpoint that is kept free of what led nowhere.

An agent that another one called may not begin one: CKPT_SUBAGENT=1 in its environment
says that it is such an agent. checkpoint.enabled: false in config.yaml switches
explorations off for all.

The files of the working tree are not recorded: git commit or git stash does that.`,
		Example: "  ckpt mark 'Find out why retries double'\n  ckpt note context 'the proxy retries too'\n" +
			"  ckpt rewind 'Proxy and client both retry: 3 x 3. Turn it off in proxy.yaml'",
		Args: exactlyOne("one GOAL (in quotes)"),
		RunE: env.open(func(c call) error {
			goal, err := env.text(c.args[0])
			if err != nil {
				return err
			}
			return env.receipt(explore.New(c.project).Mark(c.ctx, goal))
		}),
	}
}
