package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/scan"
	"example.com/ckpt/internal/term"
)

func newScan(env *Env) *cobra.Command {
	var req scan.Request
	format := "text"
	cmd := &cobra.Command{
		Use:        "scan [ID | PATH]...",
		SuggestFor: []string{"secrets", "leaks", "audit"},
		Short:      "Look for secrets in checkpoint files (--history: in every version)",
		Long: `Look for credentials with the rules of gitleaks, in all files of the checkpoints folder
or in some. --history also scans every version in a commit reachable from any ref, and
names the commit that added the secret. --staged scans what the next commit would add,
for a pre-commit hook. scan prints rule and place, never the value, and exits 4 if it
finds a secret.

Every changing command scans the text that it adds in the same way, and refuses secrets
unless --allow-secret is given. Lines that contain ckpt:allow are skipped, and so are the
rules and values under "secrets:" in config.yaml.`,
		Example: "  ckpt scan\n  ckpt scan --history\n  ckpt scan --staged               # in a pre-commit hook\n" +
			"  ckpt scan --format github        # annotations in a workflow",
		Args: noneEmpty,
		RunE: env.open(func(c call) error {
			var bar *term.Progress
			if !env.quiet {
				bar = env.Streams.Progress(env.Now)
			}
			req.Paths = c.args
			req.Progress = func(done, total int) { bar.Show(fmt.Sprintf("Looking through history: %d of %d", done, total)) }
			found, err := scan.New(c.project).Scan(c.ctx, req)
			bar.Done()
			if err != nil {
				return err
			}
			return exits(env.findings(found, format, output.Scan), len(found.Findings) > 0, fault.Invalid)
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().BoolVar(&req.History, "history", false, "also scan every version in history")
	cmd.Flags().BoolVar(&req.Staged, "staged", false, "scan what the index adds to the last commit")
	cmd.MarkFlagsMutuallyExclusive("history", "staged")
	choose(cmd, &format, "format", "print as `FORMAT`: text or github", "text", "github")
	return cmd
}
