package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/result"
)

func newValidate(env *Env) *cobra.Command {
	var strict bool
	format := "text"
	cmd := &cobra.Command{
		Use:        "validate [ID | PATH]...",
		SuggestFor: []string{"check", "lint"},
		Short:      "Check checkpoints against the format",
		Long: `Check the whole folder, or some checkpoints, against the rules of the format
(docs/validation.md lists them). It exits 4 if it finds an error, with --strict also
for a warning.`,
		Example: "  ckpt validate\n  ckpt validate auth --strict\n" +
			"  ckpt validate --format github   # annotations in a workflow",
		RunE: env.open(func(c call) error {
			found, err := query.New(c.project).Validate(c.ctx, c.args)
			if err != nil {
				return err
			}
			err = env.findings(found, format, output.Report)
			return exits(err, found.Count(result.Error) > 0 || strict && found.Count(result.Warning) > 0, fault.Invalid)
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "exit 4 for warnings, too")
	choose(cmd, &format, "format", "print as `FORMAT`: text or github", "text", "github")
	return cmd
}

// findings prints a report: with --json as JSON, in the format github as annotations, otherwise with text.
func (e *Env) findings(found *result.Report, format string, text func(*output.Printer, *result.Report)) error {
	if format == "github" && !e.json {
		return output.Annotations(e.Streams, found)
	}
	return printAnswer(e, "report", found, text)
}
