package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
)

func newDiff(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "diff [REV [REV]]",
		Short: "Compare two versions of a checkpoint, by section",
		Long: `Compare two versions of a checkpoint (-c ID; else the current one) by section: which
decisions, next actions, artifacts and so on were added, removed or reworded. Without REV
it compares the present file with its newest version, with one REV with that version.

A REV is a git revision, a day or a time (2026-01-02, 2026-01-02T10:00Z), or @{1} for
the version before the newest; ID@{1} names the checkpoint, too.`,
		Example: "  ckpt diff\n  ckpt diff @{1} -c auth\n  ckpt diff auth@{2} auth@{1}\n" +
			"  ckpt diff 2026-01-01 2026-01-31",
		Args: atMost(2, "two revisions; -c ID names the checkpoint"),
		RunE: env.open(func(c call) error {
			from, to := c.id, ""
			if len(c.args) == 2 {
				to = c.args[1]
			}
			compared, err := history.New(c.project).Diff(c.ctx, "", from, to)
			if err != nil {
				return meant(c, err)
			}
			return printAnswer(env, "diff", compared, output.Diff)
		}),
	}
}

// meant adds a hint to err if the first argument names a checkpoint, as log and show accept it, instead of a revision.
func meant(c call, err error) error {
	if len(c.args) == 0 || fault.KindOf(err) != fault.NotFound {
		return err
	}
	if _, version := history.Version(c.args[0]); version != "" { // diff accepts this form: "auth@{2}"
		return err
	}
	named, notThere := history.New(c.project).Show(c.ctx, c.args[0])
	if notThere != nil {
		return err
	}
	return fault.New(fault.NotFound, "%w", err).
		WithHint("%s", strings.Join(append([]string{"ckpt diff -c", named.ID}, c.args[1:]...), " "))
}
