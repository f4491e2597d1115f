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
		Short:      "Show figures: saves, resumes, bytes, latency, deltas per day",
		Long: `Show figures from history and the files: operations, checkpoints, decisions, learnings,
tokens used, deltas per day. Others are from the record of this clone's own commands: the
number of saves and resumes, how long they took, how many bytes they wrote, and how many
completed steps a resume showed.

The record has only times and sizes. It is in .git/ckpt/figures, never committed or sent.`,
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
