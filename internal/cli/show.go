package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/term"
)

func newShow(env *Env) *cobra.Command {
	var raw bool
	var section string
	cmd := &cobra.Command{
		Use:        "show [ID]",
		SuggestFor: []string{"cat", "view", "inspect"},
		Short:      "Show a checkpoint: drawn on a terminal, its bytes in a pipe",
		Long:       "Show a checkpoint. On a terminal ckpt-view draws it; in a pipe it is the very bytes of\nthe file. --raw shows a file that cannot be read, too.",
		Example:    "  ckpt show\n  ckpt show auth --section decisions\n  ckpt show @ --json",
		Args:       atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			if raw {
				src, _, err := p.Raw(cmd.Context(), firstArg(args))
				if err != nil {
					return err
				}
				return env.bytes(src)
			}
			c, err := p.Show(cmd.Context(), firstArg(args))
			if err != nil {
				return err
			}
			if section == "" {
				return env.show(cmd, c)
			}
			kind, ok := checkpoint.KindNamed(section)
			if !ok || kind == checkpoint.Essential {
				return fault.New(fault.Usage, "%q is no section of the format", section).WithHint("one of %s", sectionNames())
			}
			return env.Present().Checkpoint(c, &kind)
		},
		ValidArgsFunction: env.completeAll,
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the bytes, not drawn")
	cmd.Flags().StringVar(&section, "section", "", "only the section `NAME`: decisions, next-actions, ...")
	return cmd
}

func sectionNames() string {
	var names []string
	for _, k := range checkpoint.Kinds() {
		if k != checkpoint.Essential {
			names = append(names, k.Template().Name)
		}
	}
	return strings.Join(names, ", ")
}

// show draws a whole checkpoint where a person sees it.
func (e *Env) show(cmd *cobra.Command, c *checkpoint.Checkpoint) error {
	if e.json || !e.Streams.OutIsTerminal() {
		return e.Present().Checkpoint(c, nil)
	}
	viewer, ok := term.Viewer()
	if !ok {
		if !e.quiet {
			fmt.Fprintln(e.Streams.Err, "ckpt: ckpt-view, which draws Markdown, is not installed: go install ./cmd/ckpt-view")
		}
		return term.Page(cmd.Context(), e.Streams, term.Plain(string(c.Doc.Bytes())))
	}
	return term.View(cmd.Context(), e.Streams, viewer, c.Doc.Bytes())
}

// bytes writes what a file holds: as it is in a pipe, harmless on a terminal.
func (e *Env) bytes(src []byte) error {
	if e.Streams.OutIsTerminal() {
		src = []byte(term.Plain(string(src)))
	}
	_, err := e.Streams.Out.Write(src)
	return err
}
