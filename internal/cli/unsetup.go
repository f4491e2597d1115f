package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
)

func newUnsetup(env *Env) *cobra.Command {
	scope, permit := new(scopeFlags), new(permitFlags)
	cmd := &cobra.Command{
		Use:   "unsetup AGENT... | git",
		Short: "Take out what setup wrote, to the last byte",
		Long: `Take out the hooks, the skill, the permissions and the lines of instructions that ckpt
setup wrote; files and folders that it made go, too. What you or others have written in
between stays, and so does a text of ours that was edited by hand: it is named. What
another agent needs that is set up stays as well.`,
		Example: "  ckpt unsetup claude\n  ckpt unsetup claude codex --user --dry-run\n  ckpt unsetup git",
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := scope.scope()
			if err != nil {
				return err
			}
			if slices.Contains(args, "git") {
				if len(args) > 1 || from != settings.Project || permit.only {
					return fault.New(fault.Usage, "unsetup takes agents or git, not both, and git takes no flag of agents").
						WithHint("ckpt unsetup git")
				}
				return answer(env, "receipt", output.Receipt)(setup.UnsetupGit(cmd.Context(), env.settings()))
			}
			what, err := permit.permit()
			if err != nil {
				return err
			}
			return refit(cmd, env, setup.Request{Agents: args, Scope: from, Permit: what}, setup.Unsetup)
		},
		Args:              knownAgents,
		ValidArgsFunction: completeAgents,
	}
	scope.add(cmd)
	permit.add(cmd, "take out only what lets the agent run ckpt without asking")
	return cmd
}
