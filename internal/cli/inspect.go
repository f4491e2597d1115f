package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
)

func newInspect(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "inspect [ID]",
		SuggestFor: []string{"details", "info"},
		Short:      "Show everything there is to know of a checkpoint",
		Long: `Show everything there is to know of a checkpoint, as Markdown: its frontmatter; what is
completed, in progress and pending, with a percentage; live decisions, numbered; its
files by folder; a snapshot of its state as JSON; parent and children; how large it and
each of its sections are; its deltas and versions. ckpt show --details is the same.

The percentage is the file's progress; where it says none, it is the share of the items
that are completed: next actions, status transitions, entries with a checkbox, what was
done.`,
		Example: "  ckpt inspect\n  ckpt inspect auth --json\n  ckpt inspect auth@{1}",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return env.inspect(cmd, firstArg(args))
		},
		ValidArgsFunction: completer{env}.all,
	}
}

// inspect shows all details of a checkpoint.
func (e *Env) inspect(cmd *cobra.Command, name string) error {
	p, err := e.Project(cmd.Context())
	if err != nil {
		return err
	}
	d, err := query.New(p).Inspect(cmd.Context(), name)
	if err != nil {
		return err
	}
	return drawn(e, "checkpoint", d, output.Details)
}
