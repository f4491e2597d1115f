package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
)

func newRestore(env *Env) *cobra.Command {
	var req history.RestoreRequest
	cmd := &cobra.Command{
		Use:        "restore ID --at REV",
		SuggestFor: []string{"rollback", "redo", "reset"},
		Short:      "Make a checkpoint what it was at a revision or on a day",
		Long: `Make a checkpoint what it was, with one new commit that touches no code; history stays.
It comes back to active/ or archive/, as it stood then, also where it is gone by now. If
it was current then and another one is now, it becomes active. REV is what ckpt show --at
takes; that shows what will come back, and ckpt undo undoes it.
Where the file holds edits that no commit has, it is refused, unless --force.`,
		Example: "  ckpt restore auth --at HEAD~3\n  ckpt restore auth --at 2026-01-02T10:00Z --dry-run",
		Args:    exactlyOne("one ID"),
		RunE: env.open(func(c call) error {
			req.ID = c.args[0]
			if req.At == "" {
				return fault.New(fault.Usage, "restore needs --at, a version, revision or day").
					WithHint("ckpt restore %s --at @{1}; ckpt log %s lists versions", req.ID, req.ID)
			}
			return env.receipt(history.New(c.project).Restore(c.ctx, req))
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().StringVar(&req.At, "at", "", "the `REV|DATE`: HEAD~3, 2026-01-02, @{1} for the version before")
	complete(cmd, "at", completer{env}.versions)
	cmd.Flags().BoolVar(&req.Force, "force", false, "drop edits that no commit has")
	return cmd
}
