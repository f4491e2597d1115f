package cli

import (
	"context"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/workspace/store"
)

func newStatus(env *Env) *cobra.Command {
	var due, incomplete, short bool
	var of progress.Filter
	cmd := &cobra.Command{
		Use:        "status",
		SuggestFor: []string{"current", "st"},
		Short:      "Show what is being worked on: the current checkpoint first",
		Long: `Show the active checkpoints, the current one first: problem, first next action, last
change, deltas, uncommitted edits. If several are marked current, as after a merge, the
one last made current in this worktree on this branch counts, else the one changed last;
the others are named. Other worktrees that work on the current checkpoint are named
below it. One line names a session that left work without a delta.

The checkpoints of the branch that is checked out come first: those that were last made
current on it, or were begun on it.

--short prints one line for a prompt (docs/prompt.md): the id of the current checkpoint,
a * if its file has uncommitted edits, and its first next action.
It prints nothing outside a repository, or if no checkpoint is current.

--incomplete shows what a crash or a pause has left: the last changed checkpoint of each
workflow; each checkpoint with a phase, a step or a progress, unless the progress is 100%
or all steps are completed; and the current checkpoint, if no delta records the work of
some session, or if its file has uncommitted edits.

--due prints in one line whether a delta is due, and by which trigger. It exits 0 if one is
due, and 1 if not or if no checkpoint is current. docs/config.md describes how work is
measured, and how to set the thresholds.`,
		Example: "  ckpt status\n  ckpt status --json\n  ckpt status --short\n" +
			"  ckpt status --due   # exit 0: due\n" +
			"  ckpt status --incomplete --agent claude",
		Args: atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if short {
				return shortStatus(cmd.Context(), env)
			}
			return env.open(func(c call) error {
				if err := targetExists(c, c.project.Pinned); err != nil {
					return err
				}
				q := query.New(c.project)
				switch {
				case incomplete:
					return answer(env, "status", output.Incomplete)(q.Incomplete(c.ctx, of))
				case due:
					return dueStatus(c, env)
				}
				return answer(env, "status", output.Status)(q.Status(c.ctx, of))
			})(cmd, args)
		},
	}
	filterFlags(cmd, &of, "only those")
	cmd.Flags().BoolVar(&incomplete, "incomplete", false,
		"only runs that are not complete, as after a crash")
	cmd.Flags().BoolVar(&short, "short", false, "one line about the current checkpoint, for a prompt")
	cmd.Flags().BoolVar(&due, "due", false, "print whether a delta is due: exit 0 if so, 1 if not")
	cmd.MarkFlagsMutuallyExclusive("due", "short", "incomplete")
	for _, one := range []string{"due", "short"} { // these show the current checkpoint, so filters do not apply
		for _, of := range []string{"workflow", "session", "agent"} {
			cmd.MarkFlagsMutuallyExclusive(one, of)
		}
	}
	return cmd
}

// dueStatus prints whether a delta is due.
func dueStatus(c call, e *Env) error {
	view, err := c.project.Read(c.ctx, store.Live)
	if err != nil {
		return err
	}
	reminder, err := query.New(c.project).Due(c.ctx, view)
	if err != nil {
		return err
	}
	reminder.Unrecorded, err = resume.New(c.project).Unrecorded(c.ctx, view)
	if err != nil {
		return err
	}
	return exits(printAnswer(e, "due", reminder, output.Due), !reminder.Due(), fault.Failed)
}

// shortStatus prints one line about the current checkpoint. Without a repository it prints nothing.
func shortStatus(ctx context.Context, e *Env) error {
	e.quiet = true
	p, err := e.Project(ctx)
	if kind := fault.KindOf(err); err != nil && (kind == fault.NotFound || kind == fault.Unsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	return answer(e, "short-status", output.ShortStatus)(query.New(p).ShortStatus(ctx))
}
