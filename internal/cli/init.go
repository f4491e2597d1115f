package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
)

func newInit(env *Env) *cobra.Command {
	var req edit.InitRequest
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make the checkpoints folder, and name the git hooks",
		Long: `Make checkpoints/ with active/, archive/, LEARNINGS.md, config.yaml and a
.gitattributes of its own that keeps line endings as they are. Existing files
stay. You need not run it before ckpt new.

Each operation is a commit on refs/ckpt/checkpoints, a ref that all branches and
worktrees share. --commit MODE writes to config.yaml what ckpt publishes of it:
  own  the files, and one commit on the branch for each operation (the default)
  ref  nothing: the history of the code stays clean, the files are in .ckpt/
  off  the files; you commit them`,
		Example: "  ckpt init\n  ckpt init --git      # in a folder that is not a repository yet\n" +
			"  ckpt init --commit ref    # keep the history of the code free of checkpoints\n" +
			"  ckpt init --agent claude --agent codex",
		Args: atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return env.receipt(edit.Init(cmd.Context(), env.settings(), req))
		},
	}
	cmd.Flags().BoolVar(&req.Git, "git", false, "make a git repository if there is none")
	choose(cmd, &req.Commit, "commit", "what ckpt publishes: `MODE` is own, ref or off", "own", "ref", "off")
	cmd.Flags().StringArrayVar(&req.Agents, "agent", nil, "set up agent `NAME`, as ckpt setup does (repeatable)")
	complete(cmd, "agent", completeAgents)
	return cmd
}
