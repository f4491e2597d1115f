package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/result"
)

func newValidate(env *Env) *cobra.Command {
	var strict, artifacts bool
	var since string
	format := "text"
	cmd := &cobra.Command{
		Use:        "validate [ID | PATH]...",
		SuggestFor: []string{"check", "lint"},
		Short:      "Check checkpoints against the format",
		Long: `Check the whole folder, or some checkpoints of it, against the rules of the format
(docs/validation.md lists them). It exits 4 when it finds an error; with --strict a
warning is enough.

--artifacts holds the artifact trail, deltas included, against git: which of the files
that your own commits since the beginning and the working tree changed it has (recall),
and how many of its rows are right (precision). What is missing or wrong is a warning.
If another author wrote the checkpoint last, the commits of all authors count.
The beginning is the commit of the anchor, else the last before the creation.`,
		Example: "  ckpt validate\n  ckpt validate auth --strict\n  ckpt validate --format github   # annotations in a " +
			"workflow\n  ckpt validate --artifacts auth",
		RunE: env.open(func(c call) error {
			wrongFormat := artifacts && format == "github"
			if wrongFormat || since != "" && !artifacts {
				return fault.New(fault.Usage, "--since goes with --artifacts, --format github does not").
					WithHint("ckpt validate --artifacts ID --since REV")
			}
			if artifacts {
				return validateTrail(c, env, since, strict)
			}
			found, err := query.New(c.project).Validate(c.ctx, c.args)
			if err != nil {
				return err
			}
			if format == "github" && !env.json {
				err = output.Annotations(env.Streams, found)
			} else {
				err = printAnswer(env, "report", found, output.Report)
			}
			return exits(err, found.Count(result.Error) > 0 || strict && found.Count(result.Warning) > 0, fault.Invalid)
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "exit 4 for warnings, too")
	cmd.Flags().BoolVar(&artifacts, "artifacts", false, "hold the artifact trail against git")
	cmd.Flags().StringVar(&since, "since", "", "with --artifacts: count from revision `REV` on")
	choose(cmd, &format, "format", "print as `FORMAT`: text or github", "text", "github")
	return cmd
}

func validateTrail(c call, env *Env, since string, strict bool) error {
	trails, err := query.New(c.project).ValidateTrail(c.ctx, c.args, since)
	if err != nil {
		return err
	}
	incomplete := func(t result.Trail) bool { return len(t.Missing)+len(t.Wrong) > 0 }
	err = printAnswer(env, "artifacts", &result.Trails{Checkpoints: trails}, output.Trails)
	return exits(err, strict && slices.ContainsFunc(trails, incomplete), fault.Invalid)
}
