package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/transfer"
	"example.com/ckpt/internal/transfer/schema"
)

func newExport(env *Env) *cobra.Command {
	var as, at string
	cmd := &cobra.Command{
		Use:   "export [ID] --schema NAME",
		Short: "Write a checkpoint as the JSON of another tool's schema",
		Long: `Write a checkpoint as JSON: protocol (a summary and a resume pointer), agent (a workflow's
state with phases, todos and decisions) or state (an executor's AgentState with plan and
results). What ckpt new -F or ckpt delta -F took in comes out as it was, unless the
checkpoint says otherwise by now. --at, or ID@{2}, writes it as it was.`,
		Example: "  ckpt export --schema protocol\n  ckpt export auth --schema agent >auth.json\n" +
			"  ckpt export auth@{1} --schema state\n  ckpt new again -F auth.json",
		Args: atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if as == "" {
				return fault.New(fault.Usage, "export needs a schema").
					WithHint("ckpt export --schema %s", strings.Join(schema.Names(), "|"))
			}
			if !slices.Contains(schema.Names(), as) {
				return fault.New(fault.Usage, "--schema %q is no schema that ckpt knows", as).
					WithHint("one of %s", strings.Join(schema.Names(), ", "))
			}
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			return answer(env, "export", output.Export)(
				transfer.New(p).Export(cmd.Context(), firstArg(args), at, schema.Name(as)))
		},
		ValidArgsFunction: env.completeAll,
	}
	cmd.Flags().StringVar(&as, "schema", "", "`NAME` of the schema: "+strings.Join(schema.Names(), ", "))
	cmd.Flags().StringVar(&at, "at", "", "as it was at `REV|DATE`: HEAD~3, 2026-01-02, @{1} for the version before")
	return cmd
}
