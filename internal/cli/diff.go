package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/workspace"
)

func newDiff(env *Env) *cobra.Command {
	var parent bool
	cmd := &cobra.Command{
		Use:   "diff [REV [REV]]",
		Short: "Compare a checkpoint with what it was, by section",
		Long: `Compare a checkpoint (-c ID; else the current one) as it was at two times: decisions,
next actions, artifacts and the rest as things that came, went or were reworded. Without
REV the file as it is now is compared with its newest version; with one, with that.

A REV is a git revision, a day or a time (2026-01-02, 2026-01-02T10:00Z), or @{1} for
the version before the newest; ID@{1} names the checkpoint, too. --parent compares a
fork with the checkpoint it was forked from: what it changed of what it was given, and
what the parent has gained since.`,
		Example: "  ckpt diff\n  ckpt diff @{1} -c auth\n  ckpt diff auth@{2} auth@{1}\n" +
			"  ckpt diff 2026-01-01 2026-01-31\n  ckpt diff --parent",
		Args: atMost(2, "two revisions; which checkpoint is said with -c ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			if parent {
				if len(args) > 0 {
					return fault.New(fault.Usage, "--parent compares with the parent as it is: %q has no place in that", args[0]).
						WithHint("ckpt diff --parent")
				}
				return answer(env, "fork", output.Fork)(history.New(p).DiffParent(cmd.Context(), ""))
			}
			from, to := firstArg(args), ""
			if len(args) == 2 {
				to = args[1]
			}
			c, err := history.New(p).Diff(cmd.Context(), "", from, to)
			if err != nil {
				return meant(cmd.Context(), p, args, err)
			}
			return answer(env, "diff", output.Diff)(c, nil)
		},
	}
	cmd.Annotations = map[string]string{flagHint: "ckpt diff @{1} compares with the version before; ckpt diff --help"}
	cmd.Flags().BoolVar(&parent, "parent", false, "compare a fork with its parent")
	return cmd
}

// meant returns err with a hint for a user who names a checkpoint first, as for log and show.
func meant(ctx context.Context, p *workspace.Workspace, args []string, err error) error {
	if len(args) == 0 || fault.KindOf(err) != fault.NotFound {
		return err
	}
	if _, version := history.Version(args[0]); version != "" { // the argument names the checkpoint as diff expects it
		return err
	}
	c, notThere := history.New(p).Show(ctx, args[0])
	if notThere != nil {
		return err
	}
	return fault.New(fault.NotFound, "%w", err).
		WithHint("%s", strings.Join(append([]string{"ckpt diff -c", c.ID}, args[1:]...), " "))
}
