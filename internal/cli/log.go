package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/hooks"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
)

func newLog(env *Env) *cobra.Command {
	var limit int
	var session string
	var forget bool
	cmd := &cobra.Command{
		Use:        "log [ID]",
		SuggestFor: []string{"history", "versions"},
		Short:      "List the versions of a checkpoint: who changed what, when",
		Long: `List the versions of a checkpoint, the newest first, one on each line: commit, number
(auth@{2} names version 2 of auth), time, operation ("by hand" for a plain commit,
"merge" for git merge), and the changes by section. log follows the checkpoint by its
id: into archive/ and back, through renames, and after its deletion (then give the full
id). Operations of all branches and worktrees count.

With --session it lists what a session of an agent did in this worktree, the newest
first: the tools it called, the files they wrote, the commands they ran and their exit
codes. ID is then the id of a session, or its first characters; without an ID it is the
most recently active session. docs/trust.md describes what is recorded, and how to turn
it off. --forget removes the record of one session.`,
		Example: "  ckpt log\n  ckpt log auth --limit 10\n  ckpt log chk-gone --json\n  ckpt log --session\n" +
			"  ckpt log --session 4f2a --json\n  ckpt log --session 4f2a --forget",
		Args: atMost(1, "one ID; with --session, that of a session"),
		RunE: env.open(func(c call) error {
			if c.cmd.Flags().Changed("session") {
				name := session
				if name == newest {
					name = cmp.Or(c.id, newest)
				} else if len(c.args) > 0 {
					return wrongArgs(c.cmd, fmt.Sprintf("%s and --session=%s name two sessions", c.args[0], session))
				}
				if forget {
					return env.receipt(hooks.New(c.project).Forget(c.ctx, name))
				}
				return answer(env, "session", output.SessionLog)(hooks.New(c.project).SessionLog(c.ctx, name, limit))
			}
			return answer(env, "log", output.Log)(history.New(c.project).Log(c.ctx, c.id, limit))
		}),
		ValidArgsFunction: completer{env}.all,
	}
	limitFlag(cmd, &limit, "at most `N` versions, or entries (0: all)")
	cmd.Flags().StringVar(&session, "session", "", "show what session `[ID]` of an agent did, or the last one")
	cmd.Flags().Lookup("session").NoOptDefVal = newest
	cmd.Flags().BoolVar(&forget, "forget", false, "with --session ID: remove the record of that session")
	needs(cmd, "forget", "session")
	return cmd
}

// newest is the name of the most recently active session.
const newest = "@"
