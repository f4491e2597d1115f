package cli

import (
	"context"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/project"
)

func newDelete(env *Env) *cobra.Command {
	var req project.DeleteRequest
	var olderThan string
	cmd := &cobra.Command{
		Use:        "delete ID",
		SuggestFor: []string{"remove", "rm"},
		Short:      "Delete a checkpoint's file; history keeps it",
		Long: `Delete a checkpoint's file, active or archived, with one commit. History keeps it, and
what it taught stays in LEARNINGS.md; ckpt undelete brings it back. ID is a whole one.

The current one, one with children and one with edits that no commit has are refused,
unless --force. With --older-than one that was changed since is refused.
ckpt prune deletes many at once.`,
		Example: "  ckpt delete chk-spike\n  ckpt delete chk-spike --older-than 30d\n  ckpt delete chk-spike --dry-run",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.ID = args[0]
			if cmd.Flags().Changed("older-than") {
				var err error
				if req.OlderThan, err = env.past("older-than", olderThan); err != nil {
					return err
				}
			}
			return env.change(cmd, func(ctx context.Context, p *project.Project) (*report.Receipt, error) {
				return p.Delete(ctx, req)
			})
		},
		ValidArgsFunction: env.completeAll,
	}
	cmd.Flags().StringVar(&olderThan, "older-than", "", "only if it was last changed before `TIME`: an age, 30d, 12h, or 2026-01-02")
	cmd.Flags().BoolVar(&req.Force, "force", false, "delete the current one, one with children, and edits that no commit has")
	return cmd
}

// oneID says what to type where an age is given and no id: prune is meant.
func oneID(cmd *cobra.Command, args []string) error {
	if old := cmd.Flag("older-than"); len(args) == 0 && old.Changed {
		return fault.New(fault.Usage, "delete needs one whole ID").WithHint("ckpt prune --older-than %s shows all that are so old, and --apply deletes them", old.Value)
	}
	return exactlyOne("one whole ID")(cmd, args)
}

func newUndelete(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "undelete ID",
		SuggestFor: []string{"recover"},
		Short:      "Bring back a checkpoint that was deleted or pruned",
		Long: `Bring back a checkpoint that is gone, from history: the file as it was, where it was, in
active/ or archive/. If it was current and another one is now, it becomes active. It
does not matter how it went: by delete, prune, undo or git rm. ID is a whole one.`,
		Example: "  ckpt undelete chk-spike\n  ckpt undelete chk-spike --dry-run",
		Args:    exactlyOne("one whole ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return env.change(cmd, func(ctx context.Context, p *project.Project) (*report.Receipt, error) {
				return p.Undelete(ctx, args[0])
			})
		},
	}
}
