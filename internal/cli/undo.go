package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
)

func newUndo(env *Env) *cobra.Command {
	var list bool
	limit := 20
	cmd := &cobra.Command{
		Use:        "undo [N]",
		SuggestFor: []string{"revert", "rollback", "reset"},
		Short:      "Undo the last operation, or the last N (--list: which)",
		Long: `Undo what the last N operations did to checkpoint files, with one new commit that
touches nothing else; history stays. If a file was changed since, by hand or by a merge,
undo removes only what the operation wrote. If that text was changed, too, it refuses.
Operations that are undone already, even by git revert or by hand, do not count, so two
undos go back two operations. ckpt redo reverts an undo.

Only operations of this worktree count, and for an agent only those of its session.
--list also shows the others, and who made them.`,
		Example: "  ckpt undo\n  ckpt undo --list\n  ckpt undo 3 --dry-run",
		Args:    atMost(1, "one number"),
		RunE: env.open(func(c call) error {
			n := 1
			if len(c.args) == 1 {
				var err error
				n, err = strconv.Atoi(c.args[0])
				if err != nil || n < 1 {
					return fault.New(fault.Usage, "%q is not a number of operations", c.args[0]).
						WithHint("ckpt undo --list; ckpt restore ID --at REV")
				}
			}
			if list {
				operations, err := history.New(c.project).Operations(c.ctx, limit)
				return answer(env, "operations", output.Operations)(&result.Operations{Operations: operations}, err)
			}
			return env.receipt(history.New(c.project).Undo(c.ctx, n))
		}),
	}
	cmd.Flags().BoolVar(&list, "list", false, "list operations, numbered as undo counts them")
	limitFlag(cmd, &limit, "with --list: at most `N` (0: all)")
	needs(cmd, "limit", "list")
	return cmd
}

func newRedo(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "redo",
		Short: "Revert the newest undo",
		Long: `Do again what the newest undo undid, with one new commit that touches checkpoint files
only. If a file was changed since, only the text of the undone operations is restored.
An undo that was reverted already does not count, so two redos revert two undos. The next
undo reverts the redo.`,
		Example: "  ckpt redo\n  ckpt redo --dry-run",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			return env.receipt(history.New(c.project).Redo(c.ctx))
		}),
	}
}
