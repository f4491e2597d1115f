package cli

import (
	"bytes"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/present"
	"example.com/ckpt/internal/term"
)

func newLog(env *Env) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:        "log [ID]",
		SuggestFor: []string{"history", "versions"},
		Short:      "List the versions of a checkpoint: who changed what, when",
		Long: `List the versions of a checkpoint, the newest first, in a line each: commit,
number (auth@{2} names that version of auth), time, operation ("by hand" for a plain commit), and what it changed by section. It is followed
by its id: into archive/ and back, through renames, and past its deletion (give the whole
id then). Branches that were merged count; what waits to land comes first.`,
		Example: "  ckpt log\n  ckpt log auth --limit 10\n  ckpt log chk-gone --json",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return fault.New(fault.Usage, "--limit %d: a number from 0", limit).WithHint("ckpt log --limit 10")
			}
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			log, err := p.Log(cmd.Context(), firstArg(args), limit)
			if err != nil {
				return err
			}
			return env.paged(cmd, func(to present.Presenter) error { return to.Log(log) })
		},
		ValidArgsFunction: env.completeAll,
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` versions (0: all)")
	return cmd
}

// paged presents a long answer: a screen at a time where a person sees it.
func (e *Env) paged(cmd *cobra.Command, draw func(present.Presenter) error) error {
	if e.json || !e.Streams.OutIsTerminal() {
		return draw(e.Present())
	}
	var page bytes.Buffer
	onPage := e.Streams
	onPage.Out = term.Screen(&page)
	if err := draw(present.NewText(onPage, e.quiet)); err != nil {
		return err
	}
	return term.Page(cmd.Context(), e.Streams, page.String())
}
