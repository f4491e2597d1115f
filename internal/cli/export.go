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
	var as, at string
	var pr bool
	cmd := &cobra.Command{
		Use:   "export [ID] {--schema NAME | --pr}",
		Short: "Write a checkpoint as another tool's JSON, or for a pull request",
		Long: `Write a checkpoint as JSON: protocol (a summary and a resume pointer), agent (a workflow's
state with phases, todos and decisions) or state (an executor's AgentState with plan and
results). What ckpt new -F or ckpt delta -F took in comes out as it was, unless the
checkpoint says otherwise by now. --at, or ID@{2}, writes it as it was.

--pr writes Markdown for the text of a pull request: the problem, the decisions in force,
and the outcome, or the current state of a checkpoint that is not archived.`,
		Example: "  ckpt export --schema protocol\n  ckpt export auth --schema agent >auth.json\n" +
			"  ckpt export auth@{1} --schema state\n  ckpt new again -F auth.json\n" +
			"  ckpt export --pr | gh pr create --title 'Fix logins' --body-file -",
		Args: atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if as == "" && !pr {
				return fault.New(fault.Usage, "export needs --schema or --pr").
					WithHint("ckpt export --schema %s; ckpt export --pr", strings.Join(schema.Names(), "|"))
			}
			if as != "" && pr {
				return fault.New(fault.Usage, "--pr is Markdown for people, --schema is JSON for a tool").
					WithHint("leave out one of them")
			}
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			if pr {
				return answer(env, "pull-request", output.PullRequest)(
					transfer.New(p).PullRequest(cmd.Context(), firstArg(args), at))
			}
			return answer(env, "export", output.Export)(
				transfer.New(p).Export(cmd.Context(), firstArg(args), at, schema.Name(as)))
		},
		ValidArgsFunction: completer{env}.all,
	}
	choose(cmd, &as, "schema", "`NAME` of the schema: "+strings.Join(schema.Names(), ", "), schema.Names()...)
	cmd.Flags().BoolVar(&pr, "pr", false, "Markdown for a pull request: problem, decisions, outcome or state")
	cmd.Flags().StringVar(&at, "at", "", "as it was at `REV|DATE`: HEAD~3, 2026-01-02, @{1} for the version before")
	complete(cmd, "at", completer{env}.versions)
	return cmd
}
