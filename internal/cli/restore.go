package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
)

func newRestore(env *Env) *cobra.Command {
	var req history.RestoreRequest
	cmd := &cobra.Command{
		Use:        "restore ID --at REV",
		SuggestFor: []string{"rollback", "redo", "reset"},
		Short:      "Restore a checkpoint as it was at a revision or on a day",
		Long: `Restore a former version of a checkpoint, with one new commit that touches no code;
history stays. The file goes to the folder that it was in then, active/ or archive/, even
if it was deleted since. If it was current then, it becomes current, unless another one is.
REV is as for ckpt show --at, which shows the version first; ckpt undo reverts a restore.`,
		Example: "  ckpt restore auth --at HEAD~3\n  ckpt restore auth --at 2026-01-02T10:00Z --dry-run",
		Args:    exactlyOne("one ID"),
		RunE: env.open(func(c call) error {
			req.ID = c.args[0]
			if req.At == "" {
				id, _, _ := strings.Cut(req.ID, "@{")
				return fault.New(fault.Usage, "restore needs --at, a version, revision or day").
					WithHint("ckpt restore %s --at @{1}; ckpt log %s lists versions", id, id)
			}
			return env.receipt(history.New(c.project).Restore(c.ctx, req))
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().StringVar(&req.At, "at", "", "the `REV|DATE`: HEAD~3, 2026-01-02, @{1} for the version before")
	return cmd
}
