package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/output/draw"
	"example.com/ckpt/internal/query"
)

func newTree(env *Env) *cobra.Command {
	var req query.TreeRequest
	format := "text"
	cmd := &cobra.Command{
		Use:        "tree [ID]",
		SuggestFor: []string{"graph", "lineage"},
		Short:      "Draw which checkpoint was forked from which",
		Long: `Draw the lineage, children by age. A missing parent, a cycle, a duplicate id and a file
that cannot be read are shown and named, never dropped. On a terminal the first sentence
of the problem follows the name.

--format mermaid is a flowchart that GitHub renders in Markdown. svg is a picture that
follows the reader's light or dark theme. ckpt export --html writes a site with all text.`,
		Example: "  ckpt tree\n  ckpt tree auth\n  ckpt tree --active\n  ckpt tree --format svg > tree.svg",
		Args:    atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			if format != "text" && env.json {
				return fault.New(fault.Usage, "--json and --format %s are two formats", format).
					WithHint("ckpt tree --json, or ckpt tree --format %s", format)
			}
			req.ID = c.id
			forest, err := query.New(c.project).Tree(c.ctx, req)
			if err != nil || format == "text" {
				return answer(env, "tree", output.Tree)(forest, err)
			}
			picture, remarks := draw.Forest(forest, draw.Format(format))
			return output.Print(env.printer(env.Streams), forest,
				func(p *output.Printer, f *lineage.Forest) { output.Picture(p, f, picture, remarks) })
		}),
		ValidArgsFunction: completer{env}.all,
	}
	f := cmd.Flags()
	f.BoolVar(&req.Active, "active", false, "only those in active/, and what leads to them")
	f.BoolVar(&req.Archived, "archived", false, "only those in archive/, and what leads to them")
	choose(cmd, &format, "format", "draw as `FORMAT`: text, mermaid, svg", "text", string(draw.Mermaid), string(draw.SVG))
	return cmd
}
