package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/explore"
)

func newMark(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "mark GOAL",
		SuggestFor: []string{"explore", "checkpoint", "investigate"},
		Short:      "Begin an exploration: until rewind, notes go to a scratch",
		Long: `Begin an exploration in the current checkpoint: many reads and searches of which only the
answer is worth keeping. Until ckpt rewind ends it, ckpt note writes to a scratch section
(note rule --prompt still adds rules), and an agent whose hooks are set up is reminded to
end it before it stops. Only one can be open. It keeps dead ends out of the checkpoint, and
removes nothing from an agent's own context.

A subagent (CKPT_SUBAGENT=1 in its environment) may not begin an exploration.
checkpoint.enabled: false in config.yaml turns explorations off for all.

The files of the working tree are not recorded: use git commit or git stash for that.`,
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
