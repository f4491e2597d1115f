package cli

import (
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/term"
)

func newBrowse(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "browse [ID]",
		SuggestFor: []string{"tui", "ui", "tig"},
		Short:      "Look through the checkpoints on a full screen",
		Long: `Show the checkpoints on a full screen: a list at the left, what the chosen one says at the
right. The current one comes first; a file that cannot be read is there with the reason.
It only reads.

  j k       the next, the one before (also arrows, g G, page up and down)
  enter     into the page, h back to the list; space and b turn the page from either
  /         show only those whose id, state, problem or next action hold the words
  t         in the order of the tree, or the last changed first
  d         details: all that ckpt inspect knows
  r         read again
  q         leave

ckpt-view draws it, which is installed beside ckpt. It needs a terminal: in a pipe there
are ckpt tree, ckpt list and ckpt show.`,
		Example: "  ckpt browse\n  ckpt browse auth",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case env.json:
				return fault.New(fault.Usage, "browse is for people: it has no --json").
					WithHint("ckpt tree --json, or ckpt list --all --json")
			case !env.Streams.InIsTerminal() || !env.Streams.OutIsTerminal() || env.Streams.Getenv("TERM") == "dumb":
				return fault.New(fault.Unsupported, "browse needs a terminal").WithHint("ckpt tree, ckpt list --all or ckpt show")
			case env.Browse != nil:
				return env.browse(cmd, firstArg(args))
			}
			viewer, ok := term.Viewer()
			if !ok {
				return fault.New(fault.Unsupported, "ckpt-view, which draws, is not installed").
					WithHint("go install ./cmd/ckpt-view, or put it beside ckpt; else ckpt tree, ckpt list --all or ckpt show")
			}
			return term.Become(cmd.Context(), env.Streams, viewer, append([]string{BrowseFlag}, env.args...)...)
		},
		ValidArgsFunction: env.completeAll,
	}
}

// BrowseFlag is the first argument that makes ckpt-view run a command line of ckpt with the browser
// included.
const BrowseFlag = "--browse"

// browse shows the checkpoints in the browser that is part of this executable.
func (e *Env) browse(cmd *cobra.Command, name string) error {
	p, err := e.Project(cmd.Context())
	if err != nil {
		return err
	}
	first := ""
	if name != "" {
		c, err := history.New(p).Show(cmd.Context(), name)
		if err != nil {
			return err
		}
		first = c.Path
	}
	forest := func(ctx context.Context) (*lineage.Forest, error) { return query.New(p).Tree(ctx, query.TreeRequest{}) }
	details := func(ctx context.Context, path string) (string, error) {
		d, err := query.New(p).Inspect(ctx, path)
		if err != nil {
			return "", err
		}
		var markdown bytes.Buffer
		err = output.Print(term.Streams{Out: &markdown, Err: io.Discard}, true, d, output.Details)
		return markdown.String(), err
	}
	return e.Browse(cmd.Context(), e.Streams, forest, details, first)
}
