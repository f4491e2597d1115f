package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/present"
)

func newValidate(env *Env) *cobra.Command {
	var strict bool
	var format string
	cmd := &cobra.Command{
		Use:        "validate [ID | PATH]...",
		SuggestFor: []string{"check", "lint"},
		Short:      "Check checkpoints against the format",
		Long: `Check the whole folder, or some checkpoints of it, against the rules of the format
(docs/validation.md lists them). It exits 4 when it finds an error; with --strict a
warning is enough.`,
		Example: "  ckpt validate\n  ckpt validate auth --strict\n  ckpt validate --format github   # annotations in a workflow",
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "github" {
				return fault.New(fault.Usage, "--format %q is none of text, github", format)
			}
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			found, err := p.Validate(cmd.Context(), args)
			if err != nil {
				return err
			}
			if format == "github" && !env.json {
				err = present.Annotations(env.Streams, found)
			} else {
				err = env.Present().Report(found)
			}
			if err != nil {
				return err
			}
			if found.Count(report.Error) > 0 || strict && found.Count(report.Warning) > 0 {
				return answered{fault.Invalid.ExitCode()}
			}
			return nil
		},
		ValidArgsFunction: env.completeAll,
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "exit 4 for warnings, too")
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text or github")
	return cmd
}
