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
		Short: "Remove what setup wrote",
		Long: `Remove the hooks, skills, permissions and instructions that ckpt setup wrote, and the
files and folders that it made. Other text stays, and so does text of ckpt that was edited
by hand: it is named. What another agent needs that is still set up stays, too.`,
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
	cmd.Flags().BoolFunc("permissions", "remove only what lets the agent run ckpt without asking",
		chooses(&req.Permit, setup.PermitOnly))
	return cmd
}
