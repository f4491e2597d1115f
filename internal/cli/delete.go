package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
)

func newDelete(env *Env) *cobra.Command {
	var req edit.DeleteRequest
	cmd := &cobra.Command{
		Use:        "delete ID | --session SESSION",
		SuggestFor: []string{"remove", "rm"},
		Short:      "Delete a checkpoint's file; history keeps it",
		Long: `Delete a checkpoint's file, active or archived, with one commit. History keeps it, and
its learnings stay in LEARNINGS.md; ckpt undelete restores it.
With commit: ref this is the only way: a missing file is written again.

delete refuses the current checkpoint, one with children and one with staged edits, unless
--force. Edits by hand are saved first. --older-than refuses one that was changed later.

--session deletes all checkpoints of a session, with --older-than only those that are so
old, in one commit; if one of them is refused, none is deleted. ckpt prune deletes the
checkpoints that the policy does not keep.`,
		Example: "  ckpt delete spike\n  ckpt delete spike --older-than 30d\n  ckpt delete spike --dry-run\n" +
			"  ckpt delete --session 8a71-42",
		Args: oneID,
		RunE: env.open(func(c call) error {
			req.ID = c.id // if it is empty, --session names the checkpoints
			return env.receipt(edit.New(c.project).Delete(c.ctx, req))
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().Var(moment{env, &req.OlderThan}, "older-than",
		"only if it was last changed before `TIME`: an age, 30d, 12h, or 2026-01-02")
	cmd.Flags().Var(name{&req.Session}, "session", "all checkpoints of `SESSION`")
	cmd.Flags().BoolVar(&req.Force, "force", false,
		"delete the current one, one with children, and staged edits")
	return cmd
}

// oneID returns an error unless there is either one ID or the flag --session.
func oneID(cmd *cobra.Command, args []string) error {
	if !cmd.Flag("session").Changed {
		return exactlyOne("one ID (ckpt prune deletes many)")(cmd, args)
	}
	if len(args) > 0 {
		return fault.New(fault.Usage, "an ID and --session: one of the two")
	}
	return nil
}

func newUndelete(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "undelete ID",
		SuggestFor: []string{"recover"},
		Short:      "Restore a checkpoint that was deleted or pruned",
		Long: `Restore a deleted checkpoint from history: the same bytes at the same path, in active/ or
archive/. If it was current and another one is now, it becomes active. It does not matter
what deleted it: delete, prune, undo or git rm.`,
		Example: "  ckpt undelete spike\n  ckpt undelete spike --dry-run",
		Args:    exactlyOne("one ID (ckpt undo --list shows what was deleted)"),
		RunE: env.open(func(c call) error {
			return env.receipt(history.New(c.project).Undelete(c.ctx, c.args[0]))
		}),
	}
}
