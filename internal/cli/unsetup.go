package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/fault"
)

func newUnsetup(env *Env) *cobra.Command {
	req := setup.Request{Scope: settings.Project}
	cmd := &cobra.Command{
		Use:   "unsetup AGENT... | git",
		Short: "Take out what setup wrote, to the last byte",
		Long: `Take out the hooks, the skill, the permissions and the lines of instructions that ckpt
setup wrote; files and folders that it made go, too. What you or others have written in
between stays, and so does a text of ours that was edited by hand: it is named. What
another agent needs that is set up stays as well.`,
		Example: "  ckpt unsetup claude\n  ckpt unsetup claude codex --user --dry-run\n  ckpt unsetup git",
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "git") {
				if len(args) > 1 || req.Scope != settings.Project || req.Permit != setup.PermitToo {
					return fault.New(fault.Usage, "unsetup takes agents or git, not both, and git takes no flag of agents").
						WithHint("ckpt unsetup git")
				}
				return env.receipt(setup.UnsetupGit(cmd.Context(), env.settings()))
			}
			req.Agents = args
			return refit(cmd, env, req, setup.Unsetup)
		},
		Args:              knownAgents,
		ValidArgsFunction: completeAgents,
	}
	scopeFlags(cmd, &req.Scope)
	cmd.Flags().BoolFunc("permissions", "take out only what lets the agent run ckpt without asking",
		chooses(&req.Permit, setup.PermitOnly))
	return cmd
}
