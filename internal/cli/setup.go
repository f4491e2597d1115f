package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

func newSetup(env *Env) *cobra.Command {
	var list, check bool
	req := setup.Request{Scope: settings.Project}
	cmd := &cobra.Command{
		Use:   "setup [AGENT | git]...",
		Short: "Let coding agents read and write checkpoints themselves",
		Long: fmt.Sprintf(`Connect agents with ckpt: claude, codex, gemini, copilot, opencode, cursor. Each gets hooks
(the brief at the start of a session, a checkpoint before its context is compacted), two
skills, and a few lines in CLAUDE.md or AGENTS.md. Hooks print nothing if ckpt is not
installed. With --mcp each agent also gets the server ckpt mcp, which has tools.

The skills can be called by name: /checkpoint records the work so far, /handoff all that
another session needs ($checkpoint and $handoff in Codex). docs/agents.md describes what
each agent does with this, and docs/trust.md what is recorded.

An agent that has permissions for single commands may then run these without asking:
%s.
They read and write checkpoints only. --no-permissions leaves the permissions out,
--permissions sets up nothing else.

Other settings stay byte by byte, and ckpt unsetup removes what setup added. setup
refuses a file that it cannot edit safely, and commits nothing. --dry-run shows the change.

ckpt setup git makes git call ckpt: to merge checkpoint files section by section (the
decisions, deltas and learnings of both sides stay; for conflicts that a person has to
resolve see ckpt resolve), to check checkpoint files before they are committed, and to
print the current checkpoint after a merge or a checkout. Other hooks stay.

--check exits 1 if something is missing that ckpt setup would write.`, grantedLines()),
		Example: "  ckpt setup claude codex\n  ckpt setup claude --user      # for you, in every repository\n" +
			"  ckpt setup cursor --dry-run\n" +
			"  ckpt setup claude --mcp\n  ckpt setup gemini --user --permissions\n" +
			"  ckpt setup --check\n  ckpt setup --list",
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Agents = args
			chosen := check || req.Server || req.Permit != setup.PermitToo || req.Scope != settings.Project
			if slices.Contains(args, "git") {
				if len(args) > 1 || list || chosen { // no such flag applies to git
					return fault.New(fault.Usage,
						"setup takes agents or git, not both, and git takes only --dry-run").WithHint("ckpt setup git")
				}
				return env.receipt(setup.SetupGit(cmd.Context(), env.settings()))
			}
			switch {
			case list && (chosen || len(args) > 0):
				return fault.New(fault.Usage, "--list shows all agents in all scopes").WithHint("ckpt setup --list")
			case list:
				return answer(env, "agents", output.Agents)(setup.All(cmd.Context(), env.settings()))
			case check:
				return checkAgents(cmd, env, req)
			}
			return refit(cmd, env, req, setup.Setup)
		},
		Args:              knownAgents,
		ValidArgsFunction: completeAgents,
	}
	scopeFlags(cmd, &req.Scope)
	cmd.Flags().BoolFunc("permissions",
		"let the agent run ckpt's everyday commands without asking, and set up nothing else",
		chooses(&req.Permit, setup.PermitOnly))
	cmd.Flags().BoolFunc("no-permissions", "do not let the agent run commands without asking",
		chooses(&req.Permit, setup.PermitNot))
	cmd.MarkFlagsMutuallyExclusive("permissions", "no-permissions")
	cmd.Flags().BoolVar(&req.Server, "mcp", false, "also set up ckpt mcp, which has tools for the agent")
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; list what is missing or stale, and exit 1")
	cmd.Flags().BoolVar(&list, "list", false, "show all agents and where they are set up")
	return cmd
}

func checkAgents(cmd *cobra.Command, env *Env, req setup.Request) error {
	if err := env.begin(); err != nil {
		return err
	}
	found, err := setup.Check(cmd.Context(), env.settings(), req)
	if err != nil {
		return err
	}
	return exits(printAnswer(env, "agents", found, output.Agents), !found.Complete(), fault.Failed)
}

// refit runs setup or unsetup for the agents of a request, and prints the receipt.
func refit(cmd *cobra.Command, env *Env, req setup.Request,
	do func(context.Context, workspace.Settings, setup.Request) (*result.Receipt, error)) error {
	if len(req.Agents) == 0 {
		return wrongArgs(cmd, cmd.Name()+
			" needs the name of an agent: claude, codex, gemini, copilot, opencode or cursor; or git")
	}
	if err := env.begin(); err != nil {
		return err
	}
	return env.receipt(do(cmd.Context(), env.settings(), req))
}

// scopeFlags adds the flags that tell for whom agents are set up.
func scopeFlags(cmd *cobra.Command, to *settings.Scope) {
	cmd.Flags().BoolFunc("user", "for you, in every repository", chooses(to, settings.User))
	cmd.Flags().BoolFunc("local", "for you, in this repository (claude)", chooses(to, settings.Local))
	cmd.MarkFlagsMutuallyExclusive("user", "local")
}

// chooses returns the function of a boolean flag, which sets *to to value if the flag is true.
func chooses[T any](to *T, value T) func(string) error {
	return func(flag string) error {
		on, err := strconv.ParseBool(flag)
		if on {
			*to = value
		}
		return err
	}
}

// knownAgents returns an error if an argument is neither the name of an agent nor git.
func knownAgents(cmd *cobra.Command, args []string) error {
	known := []string{"git"}
	for _, a := range settings.All() {
		known = append(known, a.Name)
	}
	for _, name := range args {
		if !slices.Contains(known, name) {
			return unknownWord("agent", name, known, cmd.CommandPath())
		}
	}
	return nil
}

func completeAgents(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, a := range settings.All() {
		names = append(names, a.Name+"\t"+a.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// grantedLines returns the commands that agents may run without asking, in two lines.
func grantedLines() string {
	all, half := settings.Granted, len(settings.Granted)/2
	return strings.Join(all[:half], ", ") + ",\n" + strings.Join(all[half:], ", ")
}
