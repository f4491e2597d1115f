package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/explore"
	"example.com/ckpt/internal/fault"
)

func newRewind(env *Env) *cobra.Command {
	var req explore.RewindRequest
	var file string
	cmd := &cobra.Command{
		Use:   "rewind REPORT",
		Short: "End an exploration: a report replaces its scratch",
		Long: `Replace the mark and its scratch section by a report, as a delta, in one commit. A report
describes what was found, what led nowhere and what comes next. All other changes since
stay, also in the working tree: git restore and git stash revert those. The scratch stays
in history.`,
		Example: `  ckpt rewind 'Proxy and client both retry: 3 x 3. Turn it off in proxy.yaml'
  ckpt rewind - <<'EOF'
  Proxy and client both retry: 3 x 3.

  The queue is not the cause: it is empty when it happens.
  EOF
  ckpt rewind --abort`,
		RunE: env.open(func(c call) error {
			if err := env.report(&req, c.args, file); err != nil {
				return err
			}
			return env.receipt(explore.New(c.project).Rewind(c.ctx, req))
		}),
	}
	cmd.Flags().BoolVar(&req.Abort, "abort", false, "drop the scratch without a report")
	cmd.Flags().StringVarP(&file, "file", "F", "", "read the report from `FILE` (- is standard input)")
	return cmd
}

// report sets the report of the request from the arguments or the file.
func (e *Env) report(req *explore.RewindRequest, args []string, file string) error {
	given := len(args)
	if file != "" {
		given++
	}
	switch {
	case req.Abort && given > 0:
		return fault.New(fault.Usage, "--abort takes no report").WithHint("ckpt rewind REPORT, or ckpt rewind --abort")
	case given > 1:
		return fault.New(fault.Usage, "rewind takes one report (in quotes)").WithHint("ckpt rewind --help")
	case file != "":
		src, err := e.file(file)
		req.Report = string(src)
		return err
	case len(args) == 1:
		req.Report = args[0]
		return e.texts(&req.Report)
	}
	return nil // Rewind refuses an empty report unless it aborts
}
