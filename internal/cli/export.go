package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/transfer"
	"example.com/ckpt/internal/transfer/schema"
)

func newExport(env *Env) *cobra.Command {
	var as, at, html string
	cmd := &cobra.Command{
		Use:   "export {[ID] --schema NAME | --html DIR}",
		Short: "Write a checkpoint as JSON, or all as a site",
		Long: `Write a checkpoint as JSON: protocol (a summary and a resume pointer), agent (a workflow's
state with phases, todos and decisions) or state (an executor's AgentState with plan and
results). JSON that ckpt new -F or ckpt delta -F imported is exported unchanged, except
for what the checkpoint has changed since. ckpt delta -F saves it again, and ckpt new -F
makes it in another repository. --at, or ID@{2}, exports a former version.

--html writes a static site of all checkpoints to a folder: the lineage, a page for each
checkpoint, decisions, learnings, and a search. It needs no server and no network: open
DIR/index.html. The folder must be empty or have an earlier site, which is replaced.`,
		Example: "  ckpt export --schema protocol\n  ckpt export auth --schema agent >auth.json\n" +
			"  ckpt export auth@{1} --schema state\n  ckpt delta -F auth.json\n" +
			"  ckpt export --html site",
		Args: atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			if err := checkExport(as, at, html, c.args); err != nil {
				return err
			}
			if html != "" {
				return answer(env, "site", output.Site)(transfer.New(c.project).Site(c.ctx, html))
			}
			return answer(env, "export", output.Export)(
				transfer.New(c.project).Export(c.ctx, c.id, at, schema.Name(as)))
		}),
		ValidArgsFunction: completer{env}.all,
	}
	choose(cmd, &as, "schema", "`NAME` of the schema: "+strings.Join(schema.Names(), ", "), schema.Names()...)
	cmd.Flags().StringVar(&html, "html", "", "write all checkpoints as a static site to the folder `DIR`")
	_ = cmd.MarkFlagDirname("html")
	cmd.Flags().StringVar(&at, "at", "", "as it was at `REV|DATE`: HEAD~3, 2026-01-02, @{1} for the version before")
	cmd.MarkFlagsMutuallyExclusive("schema", "html")
	return cmd
}

// checkExport returns an error if the flags of an export do not go together.
func checkExport(as, at, html string, args []string) error {
	switch {
	case as == "" && html == "":
		return fault.New(fault.Usage, "export needs --schema or --html").
			WithHint("ckpt export --schema %s", strings.Join(schema.Names(), "|"))
	case html != "" && (len(args) > 0 || at != ""):
		return fault.New(fault.Usage, "--html exports all checkpoints as they are now").
			WithHint("ckpt export --html %s", html)
	}
	return nil
}
