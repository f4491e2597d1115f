package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
)

func newStats(env *Env) *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:        "stats",
		SuggestFor: []string{"statistics", "metrics", "figures"},
		Short:      "Figures: saves, resumes, bytes, latency, deltas per day",
		Long: `Tell in figures what history and the files say: operations, checkpoints, decisions,
learnings, tokens used, deltas per day. And what this clone has noted of its own
commands: how many saves and resumes, how long they took, how many bytes they wrote, how
many steps that were done came back with a resume.

Those notes are times and sizes in .git/ckpt/figures, never committed or sent.`,
		Example: "  ckpt stats\n  ckpt stats --json\n  ckpt stats --format prometheus",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			if format == "prometheus" && env.json {
				return fault.New(fault.Usage, "--json and --format prometheus are two formats").
					WithHint("ckpt stats --json, or ckpt stats --format prometheus")
			}
			figures, err := query.New(c.project).Stats(c.ctx)
			if err != nil {
				return err
			}
			if format == "prometheus" {
				if _, err := fmt.Fprint(env.Streams.Out, figures.Prometheus()); err != nil {
					return fault.New(fault.Failed, "write the answer: %w", err)
				}
				return nil
			}
			return printAnswer(env, "stats", figures, output.Stats)
		}),
	}
	choose(cmd, &format, "format", "print as `FORMAT`: text or prometheus", "text", "prometheus")
	return cmd
}
